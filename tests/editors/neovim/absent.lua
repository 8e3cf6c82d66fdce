-- Without convoy-lsp on the PATH, Neovim works as ever, and the commands say why they do nothing.
local t = require('harness')

t.run('absent', function()
  vim.env.PATH = vim.fn.getcwd()
  vim.cmd.edit('release.yaml')
  t.check('no server', #vim.lsp.get_clients(), 0)
  t.check_text('the log says why', table.concat(t.complaints(), '\n'), { 'convoy-lsp is not executable' })
  vim.cmd('ConvoyCluster edge')
  t.check(':ConvoyCluster says so', t.complaints(),
    { 'notify: convoy-lsp does not run: open a YAML file, or see :checkhealth vim.lsp' })
end)
