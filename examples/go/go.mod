module example.com/stuckrollout

go 1.23.0

require (
	k8s.io/api v0.32.3
	k8s.io/apimachinery v0.32.3
	k8s.io/client-go v0.32.3
)
