-- What the test scripts share: opening files, places in a text, waiting for diagnostics, hovers, and the report.
--
-- A script calls `run(name, test)` once. Each check prints one line, `ok …` or `FAILED …`; `run` ends with checks that
-- nothing was complained about, leaves the numbers of the server processes in $CONVOY_TEST_PIDS for the caller to
-- look at, and quits Neovim with :qa.

local M = {}

-- Only a wrong answer waits as long as this.
local PATIENCE = 5000

local script = '?'
local test
local complaints = {}

local function say(text)
  io.stdout:write(text, '\n')
  io.stdout:flush()
end

---One check: deep equality.
---@param name string
---@param got any
---@param want any
function M.check(name, got, want)
  if vim.deep_equal(got, want) then
    say(('ok %s: %s'):format(script, name))
    return
  end
  say(('FAILED %s: %s'):format(script, name))
  say(('    want %s\n    got  %s'):format(vim.inspect(want), vim.inspect(got)):gsub('\n', '\n    '))
end

---One check: a text holds each of `parts`, and none of `without`.
---@param name string
---@param text string?
---@param parts string[]
---@param without? string[]
function M.check_text(name, text, parts, without)
  local missing, unwanted = {}, {}
  for _, part in ipairs(parts) do
    if not text or not text:find(part, 1, true) then
      table.insert(missing, part)
    end
  end
  for _, part in ipairs(without or {}) do
    if text and text:find(part, 1, true) then
      table.insert(unwanted, part)
    end
  end
  if #missing == 0 and #unwanted == 0 then
    say(('ok %s: %s'):format(script, name))
    return
  end
  say(('FAILED %s: %s'):format(script, name))
  local told = ('missing %s\nunwanted %s\nin:\n%s'):format(
    vim.inspect(missing), vim.inspect(unwanted), text or 'nothing')
  say('    ' .. told:gsub('\n', '\n    '))
end

---Waits for a condition; gives whether it came.
---@param condition fun(): any
---@return boolean
function M.wait(condition)
  return (vim.wait(PATIENCE, function()
    return condition() and true or false
  end, 5))
end

---The server of a buffer, once it is ready.
---@param buf integer
---@return vim.lsp.Client
function M.client(buf)
  local client
  M.wait(function()
    client = vim.lsp.get_clients({ name = 'convoy_lsp', bufnr = buf })[1]
    return client and client.initialized
  end)
  return client or error('no server for ' .. vim.api.nvim_buf_get_name(buf))
end

---Opens a file of the workspace and waits for its server.
---@param path string relative to the workspace
---@return integer buf
function M.open(path)
  vim.cmd.edit(path)
  local buf = vim.api.nvim_get_current_buf()
  M.client(buf)
  return buf
end

---A place in a buffer, found by what stands there: `part` between `before` and `after`, which occurs once.
---Lines from 0, columns in bytes from 0, ends exclusive.
---@param buf integer
---@param before string
---@param part string
---@param after? string
function M.place(buf, before, part, after)
  local needle = before .. part .. (after or '')
  local found
  for i, line in ipairs(vim.api.nvim_buf_get_lines(buf, 0, -1, true)) do
    local start = line:find(needle, 1, true)
    if start then
      assert(not found, 'several places of ' .. needle)
      found = { line = i - 1, col = start - 1 + #before, end_line = i - 1, end_col = start - 1 + #before + #part }
    end
  end
  return found or error('no place of ' .. needle)
end

---Replaces what stands at a place, as a user's edit does.
---@param buf integer
---@param place table
---@param text string
function M.replace(buf, place, text)
  vim.api.nvim_buf_set_text(buf, place.line, place.col, place.end_line, place.end_col, vim.split(text, '\n'))
end

---The diagnostics that Neovim shows for a buffer, in order.
---@param buf integer
function M.diagnostics(buf)
  local all = {}
  for _, diagnostic in ipairs(vim.diagnostic.get(buf)) do
    table.insert(all, {
      line = diagnostic.lnum,
      col = diagnostic.col,
      end_line = diagnostic.end_lnum,
      end_col = diagnostic.end_col,
      code = diagnostic.code,
      severity = vim.diagnostic.severity[diagnostic.severity],
      source = diagnostic.source,
    })
  end
  table.sort(all, function(a, b)
    return a.line < b.line or a.line == b.line and a.col < b.col
  end)
  return all
end

---A diagnostic as it must be.
---@param severity 'ERROR'|'WARN'|'HINT'
---@param code string
---@param place table
function M.diagnostic(severity, code, place)
  return vim.tbl_extend('error', { severity = severity, code = code, source = 'convoy-lsp' }, place)
end

---One check: a buffer has, or soon has, exactly these diagnostics.
---@param name string
---@param buf integer
---@param want table[]
function M.check_diagnostics(name, buf, want)
  M.wait(function()
    return vim.deep_equal(M.diagnostics(buf), want)
  end)
  M.check(name, M.diagnostics(buf), want)
end

---What the server says of a buffer as it stands, to tell “none” from “none yet”.
---@param buf integer
---@return lsp.Diagnostic[]
function M.pulled(buf)
  local client = M.client(buf)
  local params = { textDocument = vim.lsp.util.make_text_document_params(buf) }
  local result
  -- Neovim pulls after each edit, too, and then cancels a request of ours that is on its way; nobody calls back.
  M.wait(function()
    local _, id = client:request('textDocument/diagnostic', params, function(_, answer)
      result = answer
    end, buf)
    M.wait(function()
      return result or not client.requests[id] or client.requests[id].type == 'cancel'
    end)
    return result
  end)
  return (result or error('no diagnostics of ' .. vim.api.nvim_buf_get_name(buf))).items
end

---Puts the cursor at a place, in the window that shows the buffer, else in the current one.
---@param buf integer
---@param place table
function M.go(buf, place)
  local window = vim.fn.bufwinid(buf)
  if window == -1 then
    vim.api.nvim_set_current_buf(buf)
  else
    vim.api.nvim_set_current_win(window)
  end
  vim.api.nvim_win_set_cursor(0, { place.line + 1, place.col })
end

---The hover at a place: its text, and what it is about as a place.
---@param buf integer
---@param place table
---@return string? text
---@return table? about
function M.hover(buf, place)
  M.go(buf, place)
  local client = M.client(buf)
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answers = vim.lsp.buf_request_sync(buf, 'textDocument/hover', params, PATIENCE)
  local answer = answers and answers[client.id] or { err = 'no answer' }
  assert(not answer.err, vim.inspect(answer.err))
  local hover = answer.result
  if not hover or hover == vim.NIL then
    return nil
  end
  local function byte(position)
    local line = vim.api.nvim_buf_get_lines(buf, position.line, position.line + 1, false)[1] or ''
    return vim.str_byteindex(line, client.offset_encoding, position.character)
  end
  local from, to = hover.range.start, hover.range['end']
  return hover.contents.value, { line = from.line, col = byte(from), end_line = to.line, end_col = byte(to) }
end

---Presses K at a place and reads the floating window that opens; closes it again.
---@param buf integer
---@param place table
---@return string? text
function M.press_k(buf, place)
  M.go(buf, place)
  local before = vim.api.nvim_list_wins()
  vim.api.nvim_feedkeys('K', 'xt', false)
  local window
  M.wait(function()
    for _, win in ipairs(vim.api.nvim_list_wins()) do
      if not vim.tbl_contains(before, win) and vim.api.nvim_win_get_config(win).relative ~= '' then
        window = win
      end
    end
    return window
  end)
  if not window then
    return nil
  end
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true)
  vim.api.nvim_win_close(window, true)
  return table.concat(lines, '\n')
end

---The numbers of the server processes that this Neovim has started.
---@return integer[]
function M.servers()
  return vim.tbl_filter(function(pid)
    local process = vim.api.nvim_get_proc(pid)
    return process and process.name:find('convoy-lsp', 1, true) ~= nil
  end, vim.api.nvim_get_proc_children(vim.fn.getpid()))
end

---Leaves the numbers of the server processes to the caller, who looks whether they end with Neovim.
function M.write_servers()
  vim.fn.writefile(vim.tbl_map(tostring, M.servers()), assert(vim.env.CONVOY_TEST_PIDS))
end

---Stops the server and starts it with another configuration, as a user would.
---@param config table as for vim.lsp.config
function M.restart(config)
  vim.lsp.enable('convoy_lsp', false)
  M.check('the server stops when it is switched off', M.wait(function()
    return #vim.lsp.get_clients({ name = 'convoy_lsp' }) == 0 and #M.servers() == 0
  end), true)
  vim.lsp.config('convoy_lsp', config)
  vim.lsp.enable('convoy_lsp')
  M.client(vim.api.nvim_get_current_buf())
end

---Complaints since the last call: errors, warnings, what the server wrote into the log.
---@return string[]
function M.complaints()
  local all = complaints
  complaints = {}
  if vim.v.errmsg ~= '' then
    table.insert(all, 'v:errmsg: ' .. vim.v.errmsg)
    vim.v.errmsg = ''
  end
  for line in vim.gsplit(vim.fn.execute('messages'), '\n') do
    if line:find('^E%d+:') or line:find('[Ee]rror') or line:find('convoy%-lsp:') then
      table.insert(all, 'message: ' .. line)
    end
  end
  vim.cmd('messages clear')
  local log = io.open(vim.lsp.log.get_filename(), 'r')
  if log then
    for line in log:lines() do
      if line:find('^%[ERROR%]') or line:find('^%[WARN%]') then
        table.insert(all, 'log: ' .. line)
      end
    end
    log:close()
    assert(io.open(vim.lsp.log.get_filename(), 'w')):close()
  end
  return all
end

local function run()
  local notify = vim.notify
  vim.notify = function(message, level, ...)
    if level and level >= vim.log.levels.WARN then
      table.insert(complaints, 'notify: ' .. message)
    end
    return notify(message, level, ...)
  end
  local done, fault = xpcall(test, debug.traceback)
  M.check('the script runs to its end', done or fault, true)
  M.check('nothing complained', M.complaints(), {})
  M.write_servers()
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    vim.bo[buf].modified = false
  end
  vim.cmd('qa')
end

---Runs a script's test once Neovim is up, checks that nothing complained, and quits.
---@param name string
---@param body fun()
function M.run(name, body)
  script, test = name, body
  vim.api.nvim_create_autocmd('VimEnter', { once = true, callback = vim.schedule_wrap(run) })
end

return M
