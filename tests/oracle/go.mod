module convoy-lsp/oracle

go 1.26

toolchain go1.27.3

require (
	github.com/evanphx/json-patch/v5 v5.9.11
	go.yaml.in/yaml/v2 v2.4.2
	gopkg.in/evanphx/json-patch.v4 v4.13.0
	gopkg.in/yaml.v3 v3.0.1
	sigs.k8s.io/yaml v1.6.0
)
