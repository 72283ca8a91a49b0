import type { Pod } from '../../lambdas/objects/kinds.ts';
import type { Cluster } from '../../infra/testCluster/startCluster.ts';

/** Returns what `kubectl get pods` shows of a pod, and what its containers and its events say, a line each. */
export async function podStory(cluster: Cluster, name: string): Promise<{ containers: string[]; events: string[] }> {
  const pod = (await cluster.get(`pod/${name}`)) as Pod;
  const events = await cluster.list('events', { fieldSelector: `involvedObject.name=${name}` });
  return {
    containers: [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])].map(
      ({ name: container, state }) => {
        const { waiting, running, terminated } = state ?? {};
        const what = waiting ? [waiting.reason, waiting.message] : [running ? 'Running' : terminated?.reason];
        return `${container}: ${what.filter((part) => part !== undefined).join(': ')}`;
      },
    ),
    events: events.filter(({ type }) => type === 'Warning').map(({ reason, message }) => `${reason}: ${message}`),
  };
}
