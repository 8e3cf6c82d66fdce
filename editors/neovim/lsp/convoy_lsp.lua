-- convoy-lsp for the LSP client of Neovim 0.11 and later. Switch it on with vim.lsp.enable('convoy_lsp').
--
-- Settings go under `settings.convoyLsp` of vim.lsp.config('convoy_lsp', { … }), or, for the whole team, into
-- `.convoy-lsp.yaml` at the root of the workspace.

---The workspace of a buffer: the nearest folder with a settings file, else with `.git`, else the file's own folder,
---so that a single file works too.
---@param bufnr integer
---@param on_dir fun(root_dir?: string)
local function root_dir(bufnr, on_dir)
  local name = vim.api.nvim_buf_get_name(bufnr)
  -- A buffer without a file name, or one that a plugin made, such as fugitive://…, has no place in a workspace.
  -- Neovim would put the diagnostics of the former on a new buffer each time.
  if name == '' or name:find('^%a[%w+.-]+://') then
    return
  end
  local root = vim.fs.root(bufnr, vim.lsp.config.convoy_lsp.root_markers)
  if root then
    return on_dir(root)
  end
  local folder = vim.fs.dirname(name)
  -- A server reads all YAML files of its workspace. That is not meant for a home folder with a file in it: without
  -- a workspace the server knows the open buffers.
  local too_much = folder == vim.fs.normalize('~') or vim.fs.dirname(folder) == folder
  on_dir(not too_much and folder or nil)
end

local config = {
  cmd = { 'convoy-lsp' },
  filetypes = { 'yaml' },
  -- In this order: a settings file further up comes before a nearer `.git`, as with `convoy-lsp --check`.
  root_markers = { '.convoy-lsp.yaml', '.git' },
  root_dir = root_dir,
}

-- A change in one file can bring or take a diagnostic in another: a Release whose ConfigMap is renamed. The server then
-- asks the client to pull again, which Neovim 0.11 does not know yet.
if vim.fn.has('nvim-0.12') == 0 then
  config.capabilities = { workspace = { diagnostics = { refreshSupport = true } } }
  config.handlers = {
    ['workspace/diagnostic/refresh'] = function(_, _, ctx)
      local client = vim.lsp.get_client_by_id(ctx.client_id)
      for bufnr in pairs(client and client.attached_buffers or {}) do
        local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
        client:request('textDocument/diagnostic', params, nil, bufnr)
      end
      return vim.NIL
    end,
  }
end

return config
