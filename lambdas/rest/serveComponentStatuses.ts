import type { ComponentStatus as ApiStatus } from 'kubernetes-types/core/v1.js';
import { notFound } from '../objects/apiErrors.ts';
import { type Stored, unstoredMetadata } from '../objects/KubernetesObject.ts';
import { parseSelection } from './list/Selection.ts';
import type { ResourceRequest } from './request/ResourceRequest.ts';
import { respondList, respondObject } from './response/respond.ts';

type ComponentStatus = Stored<ApiStatus>;

/** The names that kubeadm's control plane has. Here the first two are functions over the third, which is no etcd: a table. */
const STORAGE = 'etcd-0';
const NAMES = ['controller-manager', 'scheduler', STORAGE];

/** Answers a get or a list of ComponentStatuses: the storage is read, and what else there is answers with this server. Nothing is stored. */
export async function serveComponentStatuses(request: ResourceRequest): Promise<Response> {
  const { info } = request;
  if (info.isCollection) {
    const matches = parseSelection(request);
    const all = await Promise.all(NAMES.map((name) => statusOf(request, name)));
    return respondList(request, all.filter(matches), { resourceVersion: '' });
  }
  if (!NAMES.includes(info.name)) throw notFound('componentstatuses', info.name);
  return respondObject(request, await statusOf(request, info.name));
}

async function statusOf({ dependencies }: ResourceRequest, name: string): Promise<ComponentStatus> {
  const error = name === STORAGE ? await failureOf(() => dependencies.registry.list('namespaces', { limit: 1 })) : '';
  const health = error === '' ? { status: 'True', message: 'ok' } : { status: 'False', message: '', error };
  return {
    apiVersion: 'v1',
    kind: 'ComponentStatus',
    metadata: unstoredMetadata({ name }),
    conditions: [{ type: 'Healthy', ...health }],
  };
}

async function failureOf(read: () => Promise<unknown>): Promise<string> {
  try {
    await read();
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
