// Package stuckrollout tests what a Deployment says of pods that never start, with client-go: go test.
package stuckrollout

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

var testingVersion = schema.GroupVersion{Group: "testing.driftless.dev", Version: "v1"}

// startCluster starts a server that keeps nothing, on a clock that only advance moves.
func startCluster(t *testing.T) *rest.Config {
	t.Helper()
	// In a clone of the repository: DRIFTLESS="npm start --silent --"
	start := os.Getenv("DRIFTLESS")
	if start == "" {
		start = "npx driftless-k8s"
	}
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	words := append(strings.Fields(start), "--ephemeral", "--clock", "virtual", "--port", "0", "--kubeconfig", kubeconfig)
	server := exec.Command(words[0], words[1:]...)
	server.Stderr = os.Stderr
	output, err := server.StdoutPipe()
	must(t, err)
	must(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGTERM)
		_ = server.Wait()
	})
	// The second line names the kubeconfig, which is written by then.
	lines := bufio.NewScanner(output)
	for lines.Scan() && !strings.Contains(lines.Text(), "KUBECONFIG=") {
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	must(t, err)
	return config
}

// controls creates faults and behaviours of pods, and moves the clock.
type controls struct{ client dynamic.Interface }

func (c controls) create(t *testing.T, resource, kind, name string, fields map[string]any, action ...string) {
	t.Helper()
	object := &unstructured.Unstructured{Object: fields}
	object.SetGroupVersionKind(testingVersion.WithKind(kind))
	object.SetName(name)
	objects := c.client.Resource(testingVersion.WithResource(resource))
	_, err := objects.Create(context.Background(), object, metav1.CreateOptions{}, action...)
	must(t, err)
}

// advance moves the clock. Everything due by then has happened when it returns.
func (c controls) advance(t *testing.T, duration string) {
	t.Helper()
	c.create(t, "clocks", "ClockAdvance", "cluster", map[string]any{"duration": duration}, "advance")
}

func TestStuckRollout(t *testing.T) {
	ctx := context.Background()
	config := startCluster(t)
	controls := controls{dynamic.NewForConfigOrDie(config)}
	deployments := appsclient.NewForConfigOrDie(config).Deployments("default")
	controls.create(t, "podbehaviours", "PodBehaviour", "no-image", map[string]any{"spec": map[string]any{
		"image": "nginx:bad", "behave": map[string]any{"failPull": true},
	}})
	controls.create(t, "faults", "Fault", "outage", map[string]any{"spec": map[string]any{
		"verb": "create", "resource": "deployments", "times": int64(1),
		"respond": map[string]any{"reason": "ServiceUnavailable"},
	}})
	if _, err := deployments.Create(ctx, web(), metav1.CreateOptions{}); !errors.IsServiceUnavailable(err) {
		t.Fatalf("the first create does not meet the fault: %v", err)
	}
	_, err := deployments.Create(ctx, web(), metav1.CreateOptions{})
	must(t, err)
	controls.advance(t, "10m1s")
	stored, err := deployments.Get(ctx, "web", metav1.GetOptions{})
	must(t, err)
	for _, condition := range stored.Status.Conditions {
		if condition.Reason == "ProgressDeadlineExceeded" {
			return
		}
	}
	t.Fatalf("the rollout is not stuck: %v", stored.Status.Conditions)
}

func web() *appsv1.Deployment {
	replicas := int32(3)
	labels := map[string]string{"app": "web"}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "nginx:bad"}}},
			},
		},
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
