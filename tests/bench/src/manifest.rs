use std::fmt::Write as _;

/// Ordinary manifests of at least `bytes` bytes: what a chart renders, with comments, quotes and block scalars.
pub(crate) fn manifests(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 4096);
    let mut i = 0;
    while text.len() < bytes {
        object(&mut text, i);
        i += 1;
    }
    text
}

/// So many of the same manifests: Deployments, Services, `ConfigMap`s and Ingresses in turns.
pub(crate) fn objects(count: usize) -> String {
    let mut text = String::new();
    (0..count).for_each(|i| object(&mut text, i));
    text
}

fn object(text: &mut String, i: usize) {
    match i % 4 {
        0 => deployment(text, i),
        1 => service(text, i),
        2 => config_map(text, i),
        _ => ingress(text, i),
    }
}

fn head(text: &mut String, api: &str, kind: &str, i: usize) {
    let _ = write!(
        text,
        "---\n# Source: shop/templates/{kind}-{i}.yaml\napiVersion: {api}\nkind: {kind}\nmetadata:\n  name: \
         shop-{i}\n  namespace: team-{}\n  labels:\n    app.kubernetes.io/name: shop\n    \
         app.kubernetes.io/instance: shop-{i}\n    app.kubernetes.io/managed-by: Helm\n    \
         helm.sh/chart: shop-1.{}.0\n  annotations:\n    checksum/config: \"{:064x}\"\n    \
         example.com/owner: 'team {}'\n",
        i % 7,
        i % 30,
        i * 7919,
        i % 7
    );
}

fn deployment(text: &mut String, i: usize) {
    head(text, "apps/v1", "Deployment", i);
    let _ = write!(
        text,
        "spec:\n  replicas: {}\n  revisionHistoryLimit: 3\n  selector:\n    matchLabels:\n      \
         app.kubernetes.io/name: shop\n      app.kubernetes.io/instance: shop-{i}\n  strategy:\n    \
         type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 25%\n      maxUnavailable: 0\n  template:\n    \
         metadata:\n      labels:\n        app.kubernetes.io/name: shop\n        \
         app.kubernetes.io/instance: shop-{i}\n    spec:\n      serviceAccountName: shop-{i}\n      \
         securityContext: {{runAsNonRoot: true, fsGroup: 2000}}\n      containers:\n",
        i % 5 + 1
    );
    for (c, name) in ["web", "worker", "proxy"].iter().enumerate() {
        let _ = write!(
            text,
            "        - name: {name}\n          image: \"registry.example.com/shop/{name}:1.{}.{c}\"\n          \
             imagePullPolicy: IfNotPresent\n          args: [\"--listen=:8080\", \"--level\", info]\n          \
             ports:\n            - name: http\n              containerPort: {}\n              protocol: TCP\n          \
             env:\n            - name: LOG_LEVEL\n              value: info\n            - name: PASSWORD\n              \
             valueFrom:\n                secretKeyRef:\n                  name: shop-{i}\n                  \
             key: password\n            # Tuned for the nodes of this pool.\n            - name: GOMAXPROCS\n              \
             value: \"{}\"\n          livenessProbe:\n            httpGet:\n              path: /healthz\n              \
             port: http\n            initialDelaySeconds: 10\n            periodSeconds: 15\n          resources:\n            \
             limits:\n              cpu: 500m\n              memory: 256Mi\n            requests:\n              \
             cpu: 100m\n              memory: 128Mi\n          volumeMounts:\n            - name: config\n              \
             mountPath: /etc/shop\n              readOnly: true\n",
            i % 50,
            8080 + c,
            c + 1
        );
    }
    let _ = write!(
        text,
        "      volumes:\n        - name: config\n          configMap:\n            name: shop-{i}\n        - name: \
         tmp\n          emptyDir: {{}}\n      tolerations:\n        - key: dedicated\n          operator: \
         Equal\n          value: shop\n          effect: NoSchedule\n"
    );
}

fn service(text: &mut String, i: usize) {
    head(text, "v1", "Service", i);
    let _ = write!(
        text,
        "spec:\n  type: ClusterIP\n  ports:\n  - name: http\n    port: 80\n    targetPort: http\n    protocol: \
         TCP\n  - name: metrics\n    port: 9090\n    targetPort: 9090\n  selector:\n    \
         app.kubernetes.io/name: shop\n    app.kubernetes.io/instance: shop-{i}\n"
    );
}

fn config_map(text: &mut String, i: usize) {
    head(text, "v1", "ConfigMap", i);
    let _ = write!(
        text,
        "data:\n  config.yaml: |\n    server:\n      listen: \":8080\"\n      timeout: {}s\n    \
         # Limits of one client.\n    limits:\n      rate: 100\n      burst: 200\n  start.sh: |-\n    \
         #!/bin/sh\n    set -eu\n    exec /usr/bin/shop --config /etc/shop/config.yaml \"$@\"\n  motd: >\n    \
         This text is folded\n    into one line by its reader.\n  features: \"a,b,c\\tand {i}\"\n",
        i % 60
    );
}

fn ingress(text: &mut String, i: usize) {
    head(text, "networking.k8s.io/v1", "Ingress", i);
    let _ = write!(
        text,
        "spec:\n  ingressClassName: nginx\n  tls:\n    - hosts:\n        - shop-{i}.example.com\n      secretName: \
         shop-{i}-tls\n  rules:\n    - host: shop-{i}.example.com\n      http:\n        paths:\n          - path: \
         /\n            pathType: Prefix\n            backend:\n              service:\n                name: \
         shop-{i}\n                port:\n                  name: http\n"
    );
}
