-- The overlay of a mutation, in a ConfigMap of another file: the same diagnostics and hovers.
local t = require('harness')

t.run('overlay', function()
  local buf = t.open('overlay.yaml')
  t.check('overlay.yaml has no fault', t.pulled(buf), {})

  t.check_text('a line of the overlay shows the difference', t.hover(buf, t.place(buf, '    ', 'metadata:')),
    { 'goTemplate', '\n```diff\n', '\n+    convoy.kumodo.io/type: prod\n+    convoy.kumodo.io/role: gateway\n' })
  local field = t.place(buf, '{{ ', '.cluster.role', ' }}')
  local text, about = t.hover(buf, t.place(buf, '{{ .cluster.', 'role', ' }}'))
  t.check_text('a field of the overlay shows its value', text, { '`.cluster.role`', '`"gateway"`' })
  t.check('it is about the field in the ConfigMap', about, field)
  t.check_text('K in the overlay', t.press_k(buf, t.place(buf, '    ', 'metadata:')),
    { '```diff', '\n+    convoy.kumodo.io/type: prod\n' })

  t.replace(buf, t.place(buf, '{{ ', '.self.name', ' }}'), '.self.nam e')
  t.check_diagnostics('a name broken in two', buf,
    { t.diagnostic('ERROR', 'template-syntax', t.place(buf, '.self.nam ', 'e', ' }}')) })
  t.check_text('it says what Go says', (vim.diagnostic.get(buf)[1] or {}).message, { 'function "e" not defined' })

  t.replace(buf, t.place(buf, '{{ ', '.self.nam e', ' }}'), 'upper .self.name')
  t.check_diagnostics('a function that Go does not have', buf,
    { t.diagnostic('ERROR', 'template-syntax', t.place(buf, '{{ ', 'upper', ' .self.name }}')) })

  t.replace(buf, t.place(buf, '{{ ', 'upper .self.name', ' }}'), '.self.name')
  t.check_diagnostics('mended', buf, {})
  t.check('mended on the server too', t.pulled(buf), {})
end)
