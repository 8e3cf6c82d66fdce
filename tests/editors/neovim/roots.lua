-- The workspace of a file: a settings file, then .git, then the file's own folder.
local t = require('harness')

local function root(path)
  return t.client(t.open(path)).root_dir
end

t.run('roots', function()
  local text = vim.fn.readfile('broken.yaml')
  local folder = vim.fn.getcwd()
  t.check('no marker: the folder of the file', root('release.yaml'), folder)
  t.check('no marker: of each file its own', root('clusters/edge.yaml'), folder .. '/clusters')
  vim.cmd('silent %bwipeout!')

  vim.fn.mkdir('repository/.git', 'p')
  vim.fn.mkdir('repository/a/b', 'p')
  vim.fn.writefile(text, 'repository/a/b/one.yaml')
  t.check('.git', root('repository/a/b/one.yaml'), folder .. '/repository')
  vim.cmd('silent %bwipeout!')
  vim.fn.writefile({}, '.convoy-lsp.yaml')
  t.check('a settings file further up comes before .git', root('repository/a/b/one.yaml'), folder)
  t.check('and before the folder', root('clusters/edge.yaml'), folder)
  vim.cmd('silent %bwipeout!')

  -- A single file: what needs no sample is found.
  local alone = vim.fn.tempname()
  vim.fn.mkdir(alone)
  vim.fn.writefile(text, alone .. '/broken.yaml')
  local buf = t.open(alone .. '/broken.yaml')
  t.check('a file alone: its folder', t.client(buf).root_dir, alone)
  local quotes = t.diagnostic('ERROR', 'json-patch-quotes', t.place(buf, 'labels ', '"', 'app" }}'))
  local typo = t.diagnostic('ERROR', 'object-unknown-field', t.place(buf, '  ', 'imagePullPolcy', ': Always'))
  local slash = t.diagnostic('ERROR', 'pointer-unknown-field', t.place(buf, '/metadata/labels/example.com/', 'team', ','))
  t.check_diagnostics('a file alone: what is wrong for all objects', buf, { slash, quotes, typo })

  -- A home folder is no workspace.
  vim.fn.writefile(text, vim.env.HOME .. '/broken.yaml')
  buf = t.open(vim.env.HOME .. '/broken.yaml')
  t.check('at home: no workspace', t.client(buf).root_dir, nil)
  t.check_diagnostics('at home: diagnostics all the same', buf, { slash, quotes, typo })

  vim.cmd('silent edit fugitive://somewhere/broken.yaml')
  vim.bo.filetype = 'yaml'
  t.pulled(buf)
  t.check('a buffer of a plugin is left alone', #vim.lsp.get_clients({ bufnr = 0 }), 0)
end)
