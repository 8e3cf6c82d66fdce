-- Settings that are there from the start: in vim.lsp.config, and in the settings file.
local t = require('harness')

t.run('settings', function()
  vim.fn.writefile({ 'cluster: west', 'rules:', '  unquoted-value: off' }, '.convoy-lsp.yaml')
  local buf = t.open('broken.yaml')
  t.check_diagnostics('a rule that the file switches off', buf, {
    t.diagnostic('ERROR', 'template-failed', t.place(buf, '{{ .object.status', '.zone', ' }}')),
    t.diagnostic('ERROR', 'json-patch-failed', t.place(buf, '/metadata/labels/', 'example.com', '/team')),
    t.diagnostic('ERROR', 'json-patch-quotes', t.place(buf, 'labels ', '"', 'app" }}')),
  })
  local release = t.open('release.yaml')
  local head = t.place(release, '      ', 'metadata:')
  t.check_text('the cluster of the file', t.hover(release, head), { 'cluster west' })

  vim.lsp.enable('convoy_lsp', false)
  t.check('the server stops when it is switched off', t.wait(function()
    return #vim.lsp.get_clients({ name = 'convoy_lsp' }) == 0 and #t.servers() == 0
  end), true)
  vim.lsp.config('convoy_lsp', { settings = { convoyLsp = { cluster = 'edge' } } })
  vim.lsp.enable('convoy_lsp')
  t.client(release)
  t.wait(function()
    return (t.hover(release, head)):find('cluster edge', 1, true)
  end)
  t.check_text('settings of the editor win over the file', t.hover(release, head), { 'cluster edge' })
end)
