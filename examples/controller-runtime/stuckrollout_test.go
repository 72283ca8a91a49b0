// Package stuckrollout tests what a Deployment says of pods that never start, with controller-runtime's client: go test.
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
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const testingVersion = "testing.driftless.dev/v1"

// startCluster starts a server that keeps nothing, on a clock that only advance moves.
func startCluster(t *testing.T) client.Client {
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
	cluster, err := client.New(config, client.Options{})
	must(t, err)
	return cluster
}

// testingObject returns a Fault, a PodBehaviour or the Clock.
func testingObject(kind, name string, spec map[string]any) *unstructured.Unstructured {
	object := &unstructured.Unstructured{Object: map[string]any{"apiVersion": testingVersion, "kind": kind}}
	object.SetName(name)
	if spec != nil {
		object.Object["spec"] = spec
	}
	return object
}

// advance moves the clock. Everything due by then has happened when it returns.
func advance(t *testing.T, cluster client.Client, duration string) {
	t.Helper()
	body := testingObject("ClockAdvance", "cluster", nil)
	body.Object["duration"] = duration
	must(t, cluster.SubResource("advance").Create(context.Background(), testingObject("Clock", "cluster", nil), body))
}

func TestStuckRollout(t *testing.T) {
	ctx := context.Background()
	cluster := startCluster(t)
	must(t, cluster.Create(ctx, testingObject("PodBehaviour", "no-image", map[string]any{
		"image": "nginx:bad", "behave": map[string]any{"failPull": true},
	})))
	must(t, cluster.Create(ctx, testingObject("Fault", "outage", map[string]any{
		"verb": "create", "resource": "deployments", "times": int64(1),
		"respond": map[string]any{"reason": "ServiceUnavailable"},
	})))
	if err := cluster.Create(ctx, web()); !errors.IsServiceUnavailable(err) {
		t.Fatalf("the first create does not meet the fault: %v", err)
	}
	must(t, cluster.Create(ctx, web()))
	advance(t, cluster, "10m1s")
	stored := &appsv1.Deployment{}
	must(t, cluster.Get(ctx, client.ObjectKey{Namespace: "default", Name: "web"}, stored))
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
