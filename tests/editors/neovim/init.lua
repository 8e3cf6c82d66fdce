-- The configuration of the tests: what editors/neovim/README.md says, and where harness.lua is.
local path = vim.fn.stdpath('config') .. '/path.lua'
if vim.uv.fs_stat(path) then
  dofile(path)
end
vim.lsp.enable('convoy_lsp')
package.path = vim.env.CONVOY_TESTS .. '/?.lua;' .. package.path
