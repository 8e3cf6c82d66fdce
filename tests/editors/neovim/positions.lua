-- Columns are right in each unit that the server and Neovim can agree on, whatever stands before them on the line.
local t = require('harness')

t.run('positions', function()
  local buf = t.open('broken.yaml')
  for _, encoding in ipairs({ 'utf-8', 'utf-16', 'utf-32' }) do
    vim.cmd('silent undo 0')
    t.restart({ capabilities = { general = { positionEncodings = { encoding } } } })
    t.check(encoding .. ' is agreed on', t.client(buf).offset_encoding, encoding)

    local function faults(field)
      return {
        t.diagnostic('ERROR', 'template-failed', t.place(buf, '{{ .object.' .. field, '.zone', ' }}')),
        t.diagnostic('ERROR', 'unquoted-value', t.place(buf, 'version: ', '{{ .object.metadata.labels.version }}')),
        t.diagnostic('ERROR', 'json-patch-failed', t.place(buf, '/metadata/labels/', 'example.com', '/team')),
        t.diagnostic('ERROR', 'json-patch-quotes', t.place(buf, 'labels ', '"', 'app" }}')),
        t.diagnostic('ERROR', 'object-unknown-field', t.place(buf, '  ', 'imagePullPolcy', ': Always')),
      }
    end
    t.replace(buf, t.place(buf, 'zone: "', '', '{{ .object'), 'é 日本 🚀 ')
    t.check_diagnostics(encoding .. ': after characters of several bytes', buf, faults('status'))
    local _, about = t.hover(buf, t.place(buf, '{{ .object.', 'status', '.zone'))
    t.check(encoding .. ': hover after them', about, t.place(buf, '{{ ', '.object.status', '.zone'))

    -- Edits are sent as ranges in the same unit.
    t.replace(buf, t.place(buf, '🚀 {{ .object.', 'status', '.zone'), 'conditions')
    t.replace(buf, t.place(buf, '日', '本', ' 🚀'), '語🎉')
    t.check_diagnostics(encoding .. ': edits after and among them', buf, faults('conditions'))
  end
end)
