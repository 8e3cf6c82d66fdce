package main

// documents are the texts that patches are applied to. They look like what a
// renderer gives, with the odd values that people really have in them.
var documents = []string{
	`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"prod","labels":{"app":"web","app.kubernetes.io/name":"web"},"annotations":null},"spec":{"replicas":2,"template":{"spec":{"containers":[{"name":"web","image":"nginx:1.27","ports":[{"containerPort":80}]},{"name":"log","image":"busybox","args":["-v","--level=2"]}],"nodeSelector":{}}}}}`,
	`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"conf"},"data":{"app.yaml":"a: 1\nb: \"two\"\n","empty":"","path/with/slash":"x","til~de":"y","<tag>":"&amp;"}}`,
	`{"apiVersion":"v1","kind":"Service","metadata":{"name":"dns"},"spec":{"ports":[{"port":53,"protocol":"UDP","name":"dns"},{"port":53,"protocol":"TCP"}],"selector":{"app":"dns"},"externalIPs":[]}}`,
	`{"kind":"HorizontalPodAutoscaler","spec":{"minReplicas":1,"maxReplicas":10,"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"averageUtilization":80}}}],"behavior":null}}`,
	`{"kind":"Widget","spec":{"ratio":1.0,"limit":1e3,"huge":10000000000000000000,"tiny":-0.0,"matrix":[[1,2],[3,[4,null]],[]],"on":true,"off":false}}`,
	`{"kind":"Secret","data":{"":"empty key","é":"accent","日本":"kanji","a\"b":"quote","a\\b":"backslash","~1":"looks escaped","0":"digit","-":"dash"}}`,
	`{"metadata":{"finalizers":["a","b","c"],"ownerReferences":[{"uid":"1","kind":"A"},{"uid":"2","kind":"B"}]},"spec":null,"status":{}}`,
	`[{"op":"add"},{"op":"remove"},3,"x",null,[1,[2,[3]]]]`,
	`{"a":{"b":{"c":{"d":{"e":[{"f":1},{"g":null}]}}}}}`,
	`{"list":[0,1,2,3,4,5,6,7,8,9,10,11],"empty":[],"one":[null]}`,
}
