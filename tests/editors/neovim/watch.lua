-- Files that other programs write, with the watching that Neovim leaves off on Linux switched on.
local t = require('harness')

t.run('watch', function()
  local buf = t.open('broken.yaml')
  t.restart({ capabilities = { workspace = { didChangeWatchedFiles = { dynamicRegistration = true } } } })
  local zone = t.diagnostic('ERROR', 'template-failed', t.place(buf, '{{ .object.status', '.zone', ' }}'))
  local version = t.diagnostic('ERROR', 'unquoted-value',
    t.place(buf, 'version: ', '{{ .object.metadata.labels.version }}'))
  local slash = t.diagnostic('ERROR', 'json-patch-failed', t.place(buf, '/metadata/labels/', 'example.com', '/team'))
  local quotes = t.diagnostic('ERROR', 'json-patch-quotes', t.place(buf, 'labels ', '"', 'app" }}'))
  local typo = t.diagnostic('ERROR', 'object-unknown-field', t.place(buf, '  ', 'imagePullPolcy', ': Always'))
  t.check_diagnostics('at first', buf, { zone, version, slash, quotes, typo })

  local field = t.place(buf, '{{ .object.metadata.labels.', 'version', ' }}')
  t.check_text('the label at first', t.hover(buf, field), { '`"6.7"`' })
  local rendered = table.concat(vim.fn.readfile('rendered.yaml'), '\n')
  local other = vim.split(rendered:gsub('version: "6%.7"', 'version: v6-7'), '\n')
  -- Neovim reports a change half a second after the last one, and none before it has begun to watch.
  for _ = 1, 5 do
    vim.fn.writefile(other, 'rendered.yaml')
    if vim.wait(1500, function()
      return t.hover(buf, field):find('v6-7', 1, true) ~= nil
    end, 20) then
      break
    end
  end
  t.check_text('a sample that another program has written', t.hover(buf, field), { '`"v6-7"`' })
  t.check_diagnostics('takes away what it mends', buf, { zone, slash, quotes, typo })
end)
