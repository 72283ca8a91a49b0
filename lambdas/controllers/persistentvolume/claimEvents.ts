import { goQuote } from '../../objects/go/goQuote.ts';
import type { EventToRecord } from '../EventRecorder.ts';
import type { Claim } from '../scheduler/framework/Volumes.ts';

const about =
  (type: 'Normal' | 'Warning', reason: string, message: string) =>
  (regarding: Claim): EventToRecord => ({
    regarding,
    type,
    reason,
    message,
  });

/** The events about claims, in Kubernetes' words. */
export const claimEvents = {
  waitsForConsumer: about('Normal', 'WaitForFirstConsumer', 'waiting for first consumer to be created before binding'),
  noClass: about(
    'Normal',
    'FailedBinding',
    'no persistent volumes available for this claim and no storage class is set',
  ),
  lostReference: about(
    'Warning',
    'ClaimLost',
    'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
  ),
  lostVolume: about('Warning', 'ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!'),
  misbound: about('Warning', 'ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly'),
  unknownClass: (claim: Claim, className: string) =>
    about('Warning', 'ProvisioningFailed', `storageclass.storage.k8s.io "${className}" not found`)(claim),
  noPlugin: (claim: Claim, provisioner: string) =>
    about('Warning', 'ProvisioningFailed', `no volume plugin matched name: ${provisioner}`)(claim),
  volumeOfOther: (claim: Claim, volume: string) =>
    about('Warning', 'FailedBinding', `volume ${goQuote(volume)} already bound to a different claim.`)(claim),
  nodeGone: (claim: Claim, nodeName: string) =>
    about('Warning', 'ProvisioningFailed', `failed to get target node: node ${goQuote(nodeName)} not found`)(claim),
  mismatch: (claim: Claim, volume: string, why: string) =>
    about('Warning', 'VolumeMismatch', `Cannot bind to requested volume "${volume}": ${why}`)(claim),
  external: (claim: Claim, provisioner: string) =>
    about(
      'Normal',
      'ExternalProvisioning',
      `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
    )(claim),
  provisioned: (claim: Claim, volume: string, provisioner: string) =>
    about('Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${volume} using ${provisioner}`)(claim),
} as const;
