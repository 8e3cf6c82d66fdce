-- Hovers on a Release: what a mutation changes, what a field of a template holds.
local t = require('harness')

t.run('hover', function()
  local buf = t.open('release.yaml')
  t.check('release.yaml has no fault', t.pulled(buf), {})

  local type = t.place(buf, '- type: ', 'jsonPatch')
  local text, about = t.hover(buf, type)
  t.check_text('a mutation shows its difference', text,
    { 'jsonPatch', 'cluster east', '**Deployment/podinfo**', '\n```diff\n', '\n-  replicas: 1\n+  replicas: 3\n' },
    { 'podinfo-cache' })
  t.check('it is about the type', about, type)

  t.check_text('a strategic merge keeps what it does not name', t.hover(buf, t.place(buf, '- type: ', 'strategicMergePatch')),
    { 'strategicMergePatch', '**Deployment/podinfo**', '\n+        imagePullPolicy: Always\n' }, { '\n-' })

  text = t.press_k(buf, type)
  t.check_text('K opens a window with the same', text,
    { '**Deployment/podinfo**', '\n```diff\n', '\n-  replicas: 1\n+  replicas: 3\n' })

  local field = t.place(buf, '"{{ ', '.self.name', ' }}"')
  text, about = t.hover(buf, t.place(buf, '{{ .self.', 'name', ' }}'))
  t.check_text('a field shows its value', text, { '`.self.name`', '`"podinfo"`' })
  t.check('it is about the chain up to the field', about, field)

  text, about = t.hover(buf, t.place(buf, '{{ .', 'self', '.name }}'))
  t.check_text('the field before it shows the whole', text, { '`.self`', 'podinfo' })
  t.check('it is about that field alone', about, t.place(buf, '"{{ ', '.self', '.name }}"'))

  t.check_text('K on a field', t.press_k(buf, t.place(buf, '{{ with .cluster.', 'region')),
    { '.cluster.region', '"eu-central-1"' })

  t.check('nothing to say about a name outside the mutations', t.hover(buf, t.place(buf, '  name: ', 'podinfo')), nil)

  t.replace(buf, t.place(buf, 'path: /spec/replicas, value: ', '3'), '30')
  t.check_text('an edit counts at once', t.hover(buf, t.place(buf, '- type: ', 'jsonPatch')), { '\n+  replicas: 30\n' })
end)
