-- A change in one file that shows in another.
local t = require('harness')

t.run('files', function()
  local release = t.open('release.yaml')
  vim.cmd.split()
  local overlay = t.open('overlay.yaml')
  t.check('one server for both', t.client(release).id, t.client(overlay).id)
  t.check('no fault at first', { t.pulled(release), t.pulled(overlay) }, { {}, {} })

  -- The cursor stays in the overlay from here on: nothing but the server tells the Release to look again.
  local missing = t.diagnostic('HINT', 'from-not-found',
    t.place(release, 'name: ', 'mutation-go-template', ', path'))
  t.replace(overlay, t.place(overlay, '  name: ', 'mutation-go-template'), 'mutation-renamed')
  t.check_diagnostics('a ConfigMap renamed is missed in the Release beside it', release, { missing })
  vim.cmd.undo()
  t.check_diagnostics('and found again', release, {})
  t.replace(overlay, t.place(overlay, '  name: ', 'mutation-go-template'), 'mutation-renamed')
  t.check_diagnostics('once more', release, { missing })
  vim.cmd('silent edit!')
  t.check_diagnostics('found again when its file is read anew', release, {})

  t.replace(overlay, t.place(overlay, 'type: "{{ ', '.cluster.type', ' }}"'), '.cluster.role')
  local from = t.place(release, 'from: { kind: ', 'ConfigMap')
  local changed = '\n+    convoy.kumodo.io/type: gateway\n'
  -- Neovim sends the edits of a buffer a moment later, unless something is asked about that buffer.
  t.wait(function()
    return t.hover(release, from):find(changed, 1, true)
  end)
  t.check_text('an overlay that is not saved counts in the hover of the Release', t.hover(release, from), { changed })

  vim.api.nvim_set_current_win(vim.fn.bufwinid(overlay))
  vim.cmd('silent write')
  vim.cmd.bdelete(overlay)
  t.check_text('it counts when it is saved and closed', t.hover(release, from), { changed })
end)
