import type { ServiceSpec } from 'kubernetes-types/core/v1.js';
import type { ApiError } from '../../objects/ApiError.ts';
import { invalid } from '../../objects/apiErrors.ts';
import type { KubernetesObject } from '../../objects/KubernetesObject.ts';
import type { RegistryContext } from '../RegistryContext.ts';
import { allocateNodePorts } from './allocateNodePorts.ts';
import { fnv1a } from './fnv1a.ts';

/** 10.96.0.0/12, kubeadm's service network, as numbers: its first address and its number of addresses. */
const BASE = 0x0a_60_00_00;
const SIZE = 2 ** 20;

/**
 * Gives a service its cluster IP: the first free address after a start that depends on its namespace and name, so that the same service gets the same
 * address again. The same list of services also tells which node ports are free. Two services that are created at the same time may get the same address; nothing here routes by it.
 */
export async function allocateClusterIp(
  { objectStore }: RegistryContext,
  draft: KubernetesObject,
): Promise<ApiError | undefined> {
  const spec = draft['spec'] as ServiceSpec | undefined;
  if (spec === undefined || spec.type === 'ExternalName' || spec.clusterIP === 'None') return undefined;
  const { items } = await objectStore.list('services');
  const refusal = allocateNodePorts(draft, items);
  if (refusal !== undefined) return refusal;
  const taken = new Set(items.map((service) => (service['spec'] as ServiceSpec | undefined)?.clusterIP));
  if (spec.clusterIP !== undefined && spec.clusterIP !== '') return takenError(draft, spec.clusterIP, taken);
  const { namespace = '', name } = draft.metadata;
  spec.clusterIP = freeAddress(`${namespace}/${name}`, taken);
  spec.clusterIPs = [spec.clusterIP];
  return undefined;
}

function takenError(
  draft: KubernetesObject,
  address: string,
  taken: ReadonlySet<string | undefined>,
): ApiError | undefined {
  if (!taken.has(address)) return undefined;
  return invalid('Service', draft.metadata.name, [
    {
      type: 'FieldValueInvalid',
      field: 'spec.clusterIPs',
      badValue: [address],
      detail: `failed to allocate IP ${address}: provided IP is already allocated`,
    },
  ]);
}

function freeAddress(seed: string, taken: ReadonlySet<string | undefined>): string {
  // The first 256 addresses are left for services that choose their own (10.96.0.1 is the API server's).
  const usable = SIZE - 512;
  const start = fnv1a(seed) % usable;
  for (let step = 0; step < usable; step += 1) {
    const address = formatAddress(BASE + 256 + ((start + step) % usable));
    if (!taken.has(address)) return address;
  }
  throw new Error('the service network has no free address');
}

function formatAddress(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join('.');
}
