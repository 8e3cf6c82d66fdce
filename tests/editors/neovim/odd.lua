-- Buffers that are no ordinary file of LF lines: nothing may complain, and the server lives on.
local t = require('harness')

local function lives(name, buf)
  local client = t.client(buf)
  t.check(name .. ': the server answers', { type(t.pulled(buf)), client:is_stopped() }, { 'table', false })
  t.check(name .. ': nothing complains', t.complaints(), {})
end

local function faults(buf, field)
  return {
    t.diagnostic('ERROR', 'template-failed', t.place(buf, '{{ .object.' .. field, '.zone', ' }}')),
    t.diagnostic('ERROR', 'unquoted-value', t.place(buf, 'version: ', '{{ .object.metadata.labels.version }}')),
    t.diagnostic('ERROR', 'json-patch-failed', t.place(buf, '/metadata/labels/', 'example.com', '/team')),
    t.diagnostic('ERROR', 'json-patch-quotes', t.place(buf, 'labels ', '"', 'app" }}')),
    t.diagnostic('ERROR', 'object-unknown-field', t.place(buf, '  ', 'imagePullPolcy', ': Always')),
  }
end

local function crlf()
  local file = assert(io.open('broken.yaml', 'rb'))
  local text = file:read('a')
  file:close()
  file = assert(io.open('broken.yaml', 'wb'))
  file:write((text:gsub('\n', '\r\n')))
  file:close()
  local buf = t.open('broken.yaml')
  t.check('CRLF: seen as such', vim.bo[buf].fileformat, 'dos')
  t.check_diagnostics('CRLF: the same diagnostics', buf, faults(buf, 'status'))
  vim.api.nvim_buf_set_lines(buf, 8, 8, true, { '  # One more line.', '  # And another.' })
  t.replace(buf, t.place(buf, '{{ .object.', 'status', '.zone'), 'conditions')
  vim.api.nvim_buf_set_lines(buf, 0, 1, true, {})
  t.check_diagnostics('CRLF: they follow edits', buf, faults(buf, 'conditions'))
  local field = t.place(buf, '{{ ', '.object.metadata.labels.version')
  local text_of_hover, about = t.hover(buf, t.place(buf, '{{ .object.metadata.labels.', 'version'))
  t.check_text('CRLF: hover', text_of_hover, { '`"6.7"`' })
  t.check('CRLF: it is about the field', about, field)
  lives('CRLF', buf)
  return buf
end

local function empty(lines)
  local buf = t.open('empty.yaml')
  t.check('empty: no diagnostic', t.pulled(buf), {})
  t.check('empty: no hover', t.hover(buf, { line = 0, col = 0 }), nil)
  vim.api.nvim_buf_set_lines(buf, 0, -1, true, lines)
  local path = t.place(buf, '/metadata/labels/', 'example.com', '/team')
  t.check('empty: pasted text is seen', vim.iter(t.pulled(buf)):any(function(item)
    return item.code == 'json-patch-failed' and item.range.start.line == path.line
  end), true)
  vim.api.nvim_buf_set_lines(buf, 0, -1, true, {})
  t.check('empty: no diagnostic when it is empty again', t.pulled(buf), {})
  t.check_diagnostics('empty: none shown', buf, {})
  lives('empty', buf)
end

local function unnamed(neighbour, lines)
  local client = t.client(neighbour)
  vim.cmd.enew()
  vim.bo.filetype = 'yaml'
  local buf = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(buf, 0, -1, true, lines)
  lives('unnamed', neighbour)
  t.check('unnamed: the server waits for a name', #vim.lsp.get_clients({ bufnr = buf }), 0)
  -- Other configurations attach such a buffer.
  t.check('unnamed: attached by hand', vim.lsp.buf_attach_client(buf, client.id), true)
  t.replace(buf, t.place(buf, '{{ .object.', 'status', '.zone'), 'conditions')
  t.hover(buf, t.place(buf, '{{ .object.metadata.labels.', 'version'))
  lives('unnamed, by hand', buf)
  vim.cmd('silent saveas named.yaml')
  t.check('named: the server knows it', #t.pulled(buf) > 0, true)
  lives('named', buf)
  vim.cmd.bwipeout({ bang = true })
end

local function others(neighbour)
  for _, case in ipairs({
    { 'only a mark', { '---' } },
    { 'tabs', { '\tapiVersion: convoy.kumodo.io/v1alpha1', '\tkind: Release' } },
    { 'broken YAML', { 'apiVersion: convoy.kumodo.io/v1alpha1', 'kind: Release', 'mutations: [{', '"' } },
    { 'characters of no text', { 'kind: "\1\127"', 'a: \u{FEFF}\u{2028}b' } },
    { 'a long line', { 'a: ' .. ('é🚀'):rep(50000) } },
  }) do
    local name, lines = unpack(case)
    local buf = t.open('other.yaml')
    vim.api.nvim_buf_set_lines(buf, 0, -1, true, lines)
    t.hover(buf, { line = 0, col = 0 })
    lives(name, buf)
    -- Away with it while it is asked about.
    vim.lsp.buf.hover()
    vim.cmd.bwipeout({ bang = true })
    lives(name .. ', wiped out', neighbour)
  end
end

t.run('odd', function()
  local lines = vim.fn.readfile('broken.yaml')
  local buf = crlf()
  empty(lines)
  unnamed(buf, lines)
  others(buf)
end)
