-- Which cluster and object hovers show: the commands, the settings of the editor, the settings file.
local t = require('harness')

t.run('choice', function()
  local buf = t.open('release.yaml')
  local function region()
    return (t.hover(buf, t.place(buf, '      ', 'metadata:')))
  end
  local east = { 'cluster east', '\n+    region: eu-central-1\n' }
  local edge = { 'cluster edge', '\n+    region: none\n' }
  local west = { 'cluster west', '\n+    region: us-west-2\n' }

  t.check_text('the first cluster by name', region(), east)
  vim.cmd('ConvoyCluster edge')
  t.check_text(':ConvoyCluster edge', region(), edge, { 'cluster east', 'eu-central-1' })
  vim.cmd('ConvoyCluster west')
  t.check_text(':ConvoyCluster west', region(), west)
  vim.cmd('ConvoyCluster')
  t.check_text(':ConvoyCluster alone goes back', region(), east)

  local both = { '**Deployment/podinfo**', '**Deployment/podinfo-cache**' }
  t.check_text('all objects that match', region(), both)
  vim.cmd('ConvoyObject Deployment/podinfo-cache')
  t.check_text(':ConvoyObject Deployment/podinfo-cache', region(), { both[2] }, { both[1] })
  vim.cmd('ConvoyObject')
  t.check_text(':ConvoyObject alone goes back', region(), both)

  -- A command is a request, and a change of settings is answered by one: the hover after it already knows.
  local client = t.client(buf)
  client.settings = { convoyLsp = { cluster = 'edge' } }
  client:notify('workspace/didChangeConfiguration', { settings = client.settings })
  t.wait(function()
    return region():find('cluster edge', 1, true)
  end)
  t.check_text('settings.convoyLsp.cluster', region(), edge)
  vim.cmd('ConvoyCluster west')
  t.check_text('a command wins over the settings', region(), west)
  vim.cmd('ConvoyCluster')
  t.check_text('and gives them back', region(), edge)
end)
