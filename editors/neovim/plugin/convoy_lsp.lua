-- Commands that choose what the hovers of convoy-lsp show.
--
--   :ConvoyCluster edge                   on this cluster
--   :ConvoyObject Deployment/podinfo      for this object
--
-- Without a name, the settings choose again: without any, the first cluster by name and the first objects that match.

if vim.g.loaded_convoy_lsp then
  return
end
vim.g.loaded_convoy_lsp = true

---The servers of the current buffer, else all.
---@return vim.lsp.Client[]
local function clients()
  local of_buffer = vim.lsp.get_clients({ name = 'convoy_lsp', bufnr = 0 })
  return #of_buffer > 0 and of_buffer or vim.lsp.get_clients({ name = 'convoy_lsp' })
end

---@param command string
---@param name string empty: let the settings choose
local function choose(command, name)
  local running = clients()
  if #running == 0 then
    vim.notify('convoy-lsp does not run: open a YAML file, or see :checkhealth vim.lsp', vim.log.levels.WARN)
    return
  end
  for _, client in ipairs(running) do
    local arguments = name ~= '' and { name } or {}
    client:exec_cmd({ title = command, command = command, arguments = arguments }, { bufnr = 0 }, function(err)
      if err then
        vim.notify(('convoy-lsp: %s'):format(err.message), vim.log.levels.ERROR)
      end
    end)
  end
end

vim.api.nvim_create_user_command('ConvoyCluster', function(opts)
  choose('convoy-lsp.selectCluster', opts.args)
end, { nargs = '?', desc = 'Choose the cluster of convoy-lsp hovers; without a name, the settings choose' })

vim.api.nvim_create_user_command('ConvoyObject', function(opts)
  choose('convoy-lsp.selectObject', opts.args)
end, { nargs = '?', desc = 'Choose the object (Kind/name) of convoy-lsp hovers; without a name, the settings choose' })
