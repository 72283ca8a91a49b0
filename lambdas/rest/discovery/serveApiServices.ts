import { notFound } from '../../objects/apiErrors.ts';
import { unstoredMetadata } from '../../objects/KubernetesObject.ts';
import type { ApiService } from '../../registry/resources/apiServices.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { parseSelection } from '../list/Selection.ts';
import { respondList, respondObject } from '../response/respond.ts';
import type { ServedGroup } from '../ServedGroup.ts';

/** kube-apiserver's order of groups: the higher number first. */
const GROUP_PRIORITIES: Readonly<Record<string, number>> = {
  '': 18_000,
  'apiregistration.k8s.io': 17_900,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'admissionregistration.k8s.io': 16_700,
  'apiextensions.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'resource.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
  'metrics.k8s.io': 100,
  'custom.metrics.k8s.io': 100,
  'external.metrics.k8s.io': 100,
};
/** The priority of a group of custom resources, and of the last of its versions. */
const CUSTOM_GROUP = 1000;
const LAST_VERSION = 100;

const LABEL = 'kube-aggregator.kubernetes.io/automanaged';
const AVAILABLE = {
  type: 'Available',
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

/** Answers a get or a list of APIServices: one for each group version that this server answers. They are made of what is served and are not stored. */
export async function serveApiServices(request: ResourceRequest): Promise<Response> {
  const { info, dependencies } = request;
  const all = localApiServices(await dependencies.served.groups());
  if (info.isCollection) {
    const matches = parseSelection(request);
    return respondList(request, all.filter(matches), { resourceVersion: '1' });
  }
  const found = all.find(({ metadata }) => metadata.name === info.name);
  if (!found) throw notFound('apiservices.apiregistration.k8s.io', info.name);
  return respondObject(request, found);
}

/** Describes each group version, sorted by name. Pure. */
export function localApiServices(groups: readonly ServedGroup[]): ApiService[] {
  const services = groups.flatMap(({ group, versions }) =>
    versions.map(({ version }, index) => apiService(group, version, versions.length - index)),
  );
  return services.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

function apiService(group: string, version: string, rank: number): ApiService {
  const groupPriorityMinimum = GROUP_PRIORITIES[group] ?? CUSTOM_GROUP;
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: unstoredMetadata({
      name: `${version}.${group}`,
      resourceVersion: '1',
      labels: { [LABEL]: group in GROUP_PRIORITIES ? 'onstart' : 'true' },
    }),
    spec: { ...(group !== '' && { group }), version, groupPriorityMinimum, versionPriority: LAST_VERSION + rank - 1 },
    status: { conditions: [AVAILABLE] },
  };
}
