-- Neovim dies without a word: the server must not stay.
local t = require('harness')

t.run('killed', function()
  t.pulled(t.open('release.yaml'))
  t.check('the server runs', #t.servers(), 1)
  t.write_servers()
  vim.uv.kill(vim.fn.getpid(), 'sigkill')
end)
