-- Settings that are there from the start: in the settings file, and in vim.lsp.config.
local t = require('harness')

t.run('settings', function()
  vim.fn.writefile({ 'cluster: west', 'rules:', '  unquoted-value: off' }, '.convoy-lsp.yaml')
  local buf = t.open('broken.yaml')
  local zone = t.diagnostic('ERROR', 'template-failed', t.place(buf, '{{ .object.status', '.zone', ' }}'))
  local slash = t.diagnostic('ERROR', 'json-patch-failed', t.place(buf, '/metadata/labels/', 'example.com', '/team'))
  local quotes = t.diagnostic('ERROR', 'json-patch-quotes', t.place(buf, 'labels ', '"', 'app" }}'))
  local field = t.diagnostic('ERROR', 'object-unknown-field', t.place(buf, '  ', 'imagePullPolcy', ': Always'))
  -- Where unquoted-value says nothing, the type of the field does.
  local version = t.diagnostic('ERROR', 'object-field-type',
    t.place(buf, 'version: ', '{{ .object.metadata.labels.version }}'))
  t.check_diagnostics('a rule that the file switches off', buf, { zone, version, slash, quotes, field })
  t.check_text('the cluster of the file', t.hover(buf, t.place(buf, '- op: ', 'add')), { 'cluster west' })

  vim.fn.delete('.convoy-lsp.yaml')
  t.restart({ settings = { convoyLsp = { cluster = 'edge', rules = { ['unquoted-value'] = 'off' } } } })
  t.check_diagnostics('a rule that the editor switches off', buf, { zone, version, slash, quotes, field })
  t.check_text('the cluster of the editor', t.hover(buf, t.place(buf, '- op: ', 'add')), { 'cluster edge' })
end)
