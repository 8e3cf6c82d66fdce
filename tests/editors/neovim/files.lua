-- A change in one file that shows in another.
local t = require('harness')

t.run('files', function()
  local release = t.open('release.yaml')
  vim.cmd.split()
  local overlay = t.open('overlay.yaml')
  t.check('one server for both', t.client(release).id, t.client(overlay).id)
  t.check('no fault at first', { t.pulled(release), t.pulled(overlay) }, { {}, {} })

  t.replace(overlay, t.place(overlay, 'type: "{{ ', '.cluster.type', ' }}"'), '.cluster.role')
  t.check_text('an overlay that is not saved counts in the Release',
    t.hover(release, t.place(release, 'from: { kind: ', 'ConfigMap')), { '\n+    convoy.kumodo.io/type: gateway\n' })

  t.replace(overlay, t.place(overlay, '  name: ', 'mutation-go-template'), 'mutation-renamed')
  t.check_diagnostics('a ConfigMap renamed is missed in the Release beside it', release,
    { t.diagnostic('ERROR', 'from-not-found', t.place(release, 'name: ', 'mutation-go-template', ', path')) })
  vim.api.nvim_set_current_buf(overlay)
  vim.cmd('silent edit!')
  t.check_diagnostics('reading the file again brings it back', release, {})
end)
