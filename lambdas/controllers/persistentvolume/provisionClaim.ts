import type { Node } from '../../objects/kinds.ts';
import { isSimulatedNode } from '../../objects/simulated/simulatedNodes.ts';
import { SIMULATED_PROVISIONER } from '../../objects/simulated/simulatedStorage.ts';
import type { GuardedRegistry } from '../GuardedWriters.ts';
import {
  type Claim,
  SELECTED_NODE,
  type StorageClass,
  type Volume,
  withoutSelectedNode,
} from '../scheduler/framework/Volumes.ts';
import { bindPair, CLAIMS, update, VOLUMES } from './bindPair.ts';
import { claimEvents } from './claimEvents.ts';
import { isReservedFor, isSimulatedClass, newVolume, volumeNameOf, withProvisioner } from './provisionedVolume.ts';
import type { Reason } from './storageReasons.ts';
import type { ClaimSync } from './ClaimSync.ts';

/** The provisioners that Kubernetes had itself. None of them is left. */
const BUILT_IN = 'kubernetes.io/';

/** Makes the volume of a claim whose class is simulated, and binds the two. Any other claim is left to the provisioner of its class, which is told so: Kubernetes' `provisionClaim`. */
export async function provisionClaim(sync: ClaimSync, storageClass: StorageClass): Promise<Reason> {
  const { registry, claim, events } = sync;
  const { provisioner } = storageClass;
  if (provisioner.startsWith(BUILT_IN)) {
    events.push(claimEvents.noPlugin(claim, provisioner));
    return { reason: 'claimFindsNoVolume' };
  }
  if (!isSimulatedClass(storageClass)) return await leaveToProvisioner(sync, provisioner);
  const nodeName = claim.metadata.annotations?.[SELECTED_NODE];
  if (nodeName !== undefined) {
    const node = await registry.get<Node>({ resource: 'nodes', namespace: '', name: nodeName });
    if (!node) return await leaveNode(sync, nodeName);
    if (!isSimulatedNode(node)) return { reason: 'claimIsOnOtherNode', nodeName };
  }
  return await makeVolume(sync, storageClass);
}

async function leaveToProvisioner(sync: ClaimSync, provisioner: string): Promise<Reason> {
  const { registry, claim, writes, events } = sync;
  const { namespace = '', name } = claim.metadata;
  const told = await update(registry, CLAIMS, claim, withProvisioner(claim, provisioner));
  if (!told) return { reason: 'changedMeanwhile' };
  if (told !== claim) writes.push(`tell the provisioner of ${CLAIMS} ${namespace}/${name}`);
  events.push(claimEvents.external(claim, provisioner));
  return { reason: 'claimIsLeftToProvisioner', provisioner };
}

/** The node that was chosen for the claim's pod is gone. Takes the choice back, so that the scheduler makes another one, as provisioners do: `ProvisioningReschedule`. */
async function leaveNode({ registry, claim, writes, events }: ClaimSync, nodeName: string): Promise<Reason> {
  const written = await update(registry, CLAIMS, claim, withoutSelectedNode(claim));
  if (!written) return { reason: 'changedMeanwhile' };
  const { namespace = '', name } = claim.metadata;
  writes.push(`take node ${nodeName} from ${CLAIMS} ${namespace}/${name}`);
  events.push(claimEvents.nodeGone(claim, nodeName));
  return { reason: 'claimWaitsForConsumer' };
}

async function makeVolume(sync: ClaimSync, storageClass: StorageClass): Promise<Reason> {
  const { registry, claim, writes, events } = sync;
  const volume = await ensureVolume(registry, claim, storageClass, writes);
  if (!volume) return { reason: 'changedMeanwhile' };
  const wanted = withProvisioner(claim, SIMULATED_PROVISIONER);
  if ((await bindPair(registry, volume, claim, writes, wanted)) === 'changed') return { reason: 'changedMeanwhile' };
  const { name } = volume.metadata;
  events.push(claimEvents.provisioned(claim, name, SIMULATED_PROVISIONER));
  return { reason: 'claimIsBound', volume: name };
}

/** Returns the claim's own volume, which may have been made before; `undefined` if it is not the claim's, or on its way out. */
async function ensureVolume(
  registry: GuardedRegistry,
  claim: Claim,
  storageClass: StorageClass,
  writes: string[],
): Promise<Volume | undefined> {
  const name = volumeNameOf(claim);
  const created = await registry.create<Volume>(VOLUMES, newVolume(claim, storageClass));
  if (created.status === 'refused' && created.error.reason !== 'AlreadyExists') throw created.error;
  if (created.status === 'stored') writes.push(`create ${VOLUMES} ${name}`);
  const volume =
    created.status === 'stored'
      ? created.object
      : await registry.get<Volume>({ resource: VOLUMES, namespace: '', name });
  return volume && isReservedFor(volume, claim) && volume.metadata.deletionTimestamp === undefined ? volume : undefined;
}
