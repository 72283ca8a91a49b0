// Command clientgo uses a cluster as operators do: with an informer, server-side apply and leader election of client-go. It prints a line for each step, for the test that runs it.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx, os.Getenv("NAMESPACE")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, namespace string) error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	leases, err := coordinationclient.NewForConfig(config)
	if err != nil {
		return err
	}
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Name: "operator", Namespace: namespace},
		Client:     leases,
		LockConfig: resourcelock.ResourceLockConfig{Identity: "one"},
	}
	ctx, stop := context.WithCancel(ctx)
	failure := fmt.Errorf("it never led")
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:            lock,
		LeaseDuration:   15 * time.Second,
		RenewDeadline:   10 * time.Second,
		RetryPeriod:     time.Second,
		ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				fmt.Println("leads")
				failure = lead(ctx, config, namespace)
				stop()
			},
			OnStoppedLeading: func() { fmt.Println("released") },
		},
	})
	return failure
}

// lead applies a Deployment, follows it with an informer until it is available, and meets a conflict with another manager.
func lead(ctx context.Context, config *rest.Config, namespace string) error {
	// Operators ask for protobuf, and take JSON.
	binary := rest.CopyConfig(config)
	binary.ContentType = "application/vnd.kubernetes.protobuf"
	binary.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	apps, err := appsclient.NewForConfig(binary)
	if err != nil {
		return err
	}
	available := make(chan string, 1)
	watched := cache.NewListWatchFromClient(apps.RESTClient(), "deployments", namespace, fields.Everything())
	_, informer := cache.NewInformerWithOptions(cache.InformerOptions{
		ListerWatcher: watched,
		ObjectType:    &appsv1.Deployment{},
		Handler: cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, updated any) {
			if one := updated.(*appsv1.Deployment); one.Status.AvailableReplicas == 2 {
				select {
				case available <- one.Name:
				default:
				}
			}
		}},
	})
	go informer.Run(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("the informer has not synced")
	}
	fmt.Println("synced")
	deployments := apps.Deployments(namespace)
	if _, err := deployments.Apply(ctx, web("nginx:1"), metav1.ApplyOptions{FieldManager: "operator"}); err != nil {
		return err
	}
	select {
	case name := <-available:
		fmt.Println("available", name)
	case <-ctx.Done():
		return ctx.Err()
	}
	_, err = deployments.Apply(ctx, web("nginx:2"), metav1.ApplyOptions{FieldManager: "other"})
	fmt.Println("conflict", apierrors.IsConflict(err))
	applied, err := deployments.Apply(ctx, web("nginx:2"), metav1.ApplyOptions{FieldManager: "other", Force: true})
	if err != nil {
		return err
	}
	fmt.Println("forced", applied.Spec.Template.Spec.Containers[0].Image)
	return nil
}

func web(image string) *appsapply.DeploymentApplyConfiguration {
	labels := map[string]string{"app": "web"}
	container := coreapply.Container().WithName("web").WithImage(image)
	template := coreapply.PodTemplateSpec().WithLabels(labels).WithSpec(coreapply.PodSpec().WithContainers(container))
	spec := appsapply.DeploymentSpec().
		WithReplicas(2).
		WithSelector(metaapply.LabelSelector().WithMatchLabels(labels)).
		WithTemplate(template)
	return appsapply.Deployment("web", "").WithSpec(spec)
}
