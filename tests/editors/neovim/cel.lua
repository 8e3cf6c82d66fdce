-- A celTransform: what an expression reads, guards that are typed, the difference in the hover.
local t = require('harness')

t.run('cel', function()
  local buf = t.open('release.yaml')
  t.check('release.yaml has no fault', t.pulled(buf), {})

  t.check_text('the mutation shows its difference', t.hover(buf, t.place(buf, '- type: ', 'celTransform')),
    { 'celTransform', 'cluster east', '**Service/podinfo**', '\n```diff\n', '\n+    region: eu-central-1\n' })
  local text, about = t.hover(buf, t.place(buf, 'in cluster ? cluster.', 'region', ' : "none"'))
  t.check_text('a read shows its type and its value', text,
    { 'cluster.region: dyn', '`"eu-central-1"` — Service/podinfo, cluster east' })
  t.check('it is about the read', about, t.place(buf, 'in cluster ? ', 'cluster.region', ' : "none"'))
  t.check_text('K on an operator', t.press_k(buf, t.place(buf, '"region" ', 'in', ' cluster')),
    { 'in', 'map(', 'bool' })

  t.replace(buf, t.place(buf, '"labels": {"region": ', '"region" in cluster ? cluster.region : "none"'), 'cluster.region')
  t.check_diagnostics('without a guard, the read is marked', buf,
    { t.diagnostic('WARN', 'cel-failed', t.place(buf, '"region": ', 'cluster.region', '}}}')) })
  t.check_text('it says what cel-go says, and names the cluster', (vim.diagnostic.get(buf)[1] or {}).message,
    { 'no such key: region', 'in cluster edge' }, { 'east', 'west' })

  t.replace(buf, t.place(buf, '"region": ', 'cluster.region', '}}}'), 'has(cluster.region) ? cluster.region : "none"')
  t.check_diagnostics('with the guard typed, it is gone', buf, {})
  t.check_text('the hover shows the difference again', t.hover(buf, t.place(buf, '- type: ', 'celTransform')),
    { '\n```diff\n', '\n+    region: eu-central-1\n' })

  t.replace(buf, t.place(buf, ' ? cluster.region : ', '"none"'), 'self.nam + 1')
  t.check_diagnostics('what no cluster here reaches is not reported', buf,
    { t.diagnostic('WARN', 'cel-failed', t.place(buf, ' : ', 'self.nam', ' + 1')) })

  t.replace(buf, t.place(buf, ' ? cluster.region : ', 'self.nam + 1'), '1 + "a"')
  t.check_diagnostics('an operator without such an overload', buf,
    { t.diagnostic('ERROR', 'cel-type', t.place(buf, ' : 1 ', '+', ' "a"')) })
  t.check_text('it says what cel-go says of the types', (vim.diagnostic.get(buf)[1] or {}).message,
    { "found no matching overload for '_+_' applied to '(int, string)'" })

  t.replace(buf, t.place(buf, ' ? cluster.region : ', '1 + "a"', '}}}'), '"none"')
  t.replace(buf, t.place(buf, '{"metadata": {"labels": {"region": has(', 'cluster.region', ')'), 'cluster')
  t.check_diagnostics('has() of a variable', buf,
    { t.diagnostic('ERROR', 'cel-syntax', t.place(buf, '"region": has(', 'cluster', ')')) })
end)
