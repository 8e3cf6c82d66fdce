-- The configuration of the tests: what editors/neovim/README.md says, and the path of harness.lua.
vim.opt.runtimepath:append(vim.env.CONVOY_EDITOR)
vim.lsp.enable('convoy_lsp')
package.path = vim.env.CONVOY_TESTS .. '/?.lua;' .. package.path
