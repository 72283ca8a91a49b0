import { badRequest, notFound } from '../../objects/apiErrors.ts';
import type { Node, Pod } from '../../objects/kinds.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import { admitSubresource } from '../admission/admitSubresource.ts';
import type { ResourceRequest } from '../request/ResourceRequest.ts';
import { keyOf } from '../request/requestTarget.ts';
import { methodNotAllowed, unknownResource } from '../response/statusOf.ts';
import { connectionOptions } from '../subresources/connectionOptions.ts';
import { chooseContainer } from './chooseContainer.ts';
import { forwardRequest, forwardStream } from './forward.ts';
import { kubeletOf } from '../../registry/metrics/kubeletOf.ts';
import { requireNode } from './requireNode.ts';
import { podBackend, proxyPath } from './proxyTarget.ts';

/** The subresources of pods that open a connection, each with the reason why a simulated pod has none. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  exec: 'simulated pods run no processes: there is nothing to execute a command in',
  attach: 'simulated pods run no processes: there is nothing to attach to',
  portforward: 'simulated pods open no ports: there is nothing to forward to',
  proxy: 'simulated pods serve nothing: there is nothing to proxy to',
};

/** A kubelet's parameters for the streams, which have other names than the API's. */
const STREAMS = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' } as const;

/** Answers `exec`, `attach`, `portforward` and `proxy` of a pod: they are passed to its kubelet, `proxy` to the pod itself. Throws ApiError in Kubernetes' words. */
export async function serveStream(request: ResourceRequest): Promise<Response> {
  const { info, query, dependencies } = request;
  const { subresource } = info;
  if (subresource !== 'proxy' && info.rest.length > 0) throw unknownResource();
  if (subresource !== 'proxy' && info.verb !== 'get' && info.verb !== 'create') throw methodNotAllowed();
  const target = subresource === 'proxy' ? podBackend(info.name) : undefined;
  const name = target?.name ?? info.name;
  const pod = await dependencies.registry.get<Pod>({ ...keyOf(request), name });
  if (!pod) throw notFound('pods', name);
  const options = connectionOptions(subresource, query);
  if (options) await admitSubresource(request, { operation: 'CONNECT', object: options, dryRun: false });
  const node = await nodeOf(request, pod);
  if (node && isSimulatedNode(node)) throw badRequest(UNAVAILABLE[subresource] ?? '');
  if (target) return await forwardRequest(request, target.backendFor(pod), proxyPath(request));
  if (!node) throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
  return await forwardStream(request, kubeletOf(node), kubeletPath(subresource, pod, query));
}

async function nodeOf({ dependencies }: ResourceRequest, { spec }: Pod): Promise<Node | undefined> {
  const { nodeName = '' } = spec ?? {};
  return nodeName === '' ? undefined : await requireNode(dependencies.registry, nodeName);
}

/** The kubelet's path for a stream: `/exec/default/web/nginx?command=ls&output=1`. */
function kubeletPath(subresource: string, pod: Pod, query: URLSearchParams): string {
  const { namespace = '', name } = pod.metadata;
  if (subresource === 'portforward') {
    const ports = query.getAll('ports').join(',');
    return placed('portForward', [namespace, name], new URLSearchParams(ports === '' ? {} : { port: ports }));
  }
  const container = chooseContainer(pod, query.get('container') ?? '');
  const passed = new URLSearchParams();
  const options = connectionOptions(subresource, query) as Readonly<Record<string, unknown>>;
  for (const [ours, theirs] of Object.entries(STREAMS)) if (options[ours] === true) passed.set(theirs, '1');
  for (const word of query.getAll('command')) passed.append('command', word);
  return placed(subresource, [namespace, name, container], passed);
}

function placed(first: string, names: readonly string[], query: URLSearchParams): string {
  const path = `/${[first, ...names.map(encodeURIComponent)].join('/')}`;
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
