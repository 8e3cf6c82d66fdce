-- Diagnostics of broken.yaml: where they stand, and that they follow edits.
local t = require('harness')

local function faults(buf)
  return {
    status = t.diagnostic('ERROR', 'template-failed', t.place(buf, '{{ .object.status', '.zone', ' }}')),
    version = t.diagnostic('ERROR', 'unquoted-value',
      t.place(buf, 'version: ', '{{ .object.metadata.labels.version }}')),
    slash = t.diagnostic('ERROR', 'json-patch-failed', t.place(buf, '/metadata/labels/', 'example.com', '/team')),
    quotes = t.diagnostic('ERROR', 'json-patch-quotes', t.place(buf, 'labels ', '"', 'app" }}')),
    field = t.diagnostic('ERROR', 'object-unknown-field', t.place(buf, '  ', 'imagePullPolcy', ': Always')),
  }
end

t.run('diagnostics', function()
  local buf = t.open('broken.yaml')
  local f = faults(buf)
  t.check_diagnostics('broken.yaml has its five faults, at the characters', buf,
    { f.status, f.version, f.slash, f.quotes, f.field })

  local guarded = '{{ with .object.status }}{{ .zone }}{{ end }}'
  t.replace(buf, t.place(buf, 'zone: "', '{{ .object.status.zone }}', '"'), guarded)
  t.check_diagnostics('a guard takes the first away, the others stay', buf, { f.version, f.slash, f.quotes, f.field })

  vim.cmd.undo()
  t.check_diagnostics('undo brings it back', buf, { f.status, f.version, f.slash, f.quotes, f.field })

  vim.api.nvim_buf_set_lines(buf, 0, 1, true, { '# one', '# two', '# three' })
  f = faults(buf)
  t.check_diagnostics('lines put in above move all', buf, { f.status, f.version, f.slash, f.quotes, f.field })

  t.replace(buf, t.place(buf, 'zone: ', '"', '{{'), '"é 日本 🚀 ')
  f = faults(buf)
  t.check_diagnostics('characters of several bytes before a fault on its line', buf,
    { f.status, f.version, f.slash, f.quotes, f.field })

  t.replace(buf, t.place(buf, 'version: ', '{{ .object.metadata.labels.version }}'),
    '"{{ .object.metadata.labels.version }}"')
  t.replace(buf, t.place(buf, '/metadata/labels/example.com', '/', 'team'), '~1')
  t.check_diagnostics('two more mended', buf, { f.status, f.quotes, f.field })
end)
