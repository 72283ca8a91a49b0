import { type ReasonOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a claim gets a volume or does not, and what becomes of a volume. */
export const storageReasons = {
  ...sharedReasons,
  claimNeedsNothing: () => 'the claim is bound, or it is being deleted',
  /** Its class has another provisioner. */
  claimIsLeftToProvisioner: ({ provisioner }: { readonly provisioner: string }) =>
    `the volume of the claim is made by ${provisioner}`,
  /** No volume suits it, and nobody makes one. */
  claimFindsNoVolume: () => 'no volume suits the claim, and nobody makes one for it',
  /** It names a volume that does not exist, or that it cannot have. */
  claimWaitsForVolume: ({ volume }: { readonly volume: string }) =>
    `the claim waits for volume ${volume}, which is not there or not for this claim`,
  claimWaitsForConsumer: () => 'the claim waits for a pod: its volume is made once a node is chosen for the pod',
  claimIsOnOtherNode: ({ nodeName }: { readonly nodeName: string }) =>
    `the pod of the claim is to run on ${nodeName}, which is not simulated: its volume is not made here`,
  claimIsBound: ({ volume }: { readonly volume: string }) => `the claim has got its volume, ${volume}`,
  claimIsLost: () => 'the volume that the claim had is gone, or it is the volume of another claim',
  volumeIsFree: () => 'no claim has the volume',
  volumeIsBound: ({ claim }: { readonly claim: string }) => `the volume is that of claim ${claim}`,
  volumeIsUnbound: ({ claim }: { readonly claim: string }) =>
    `claim ${claim}, for which the volume was reserved, has another one`,
  volumeIsKept: () => 'the claim of the volume is gone, and the volume is kept: its reclaim policy is not Delete',
  volumeIsLeftToDriver: () => 'the claim of the volume is gone, and the driver of the volume has to delete it',
  volumeCannotBeReclaimed: ({ message }: { readonly message: string }) =>
    `the claim of the volume is gone, but the volume cannot be reclaimed: ${message}`,
  volumeGoesWithClaim: ({ claim }: { readonly claim: string }) =>
    `the claim ${claim} is gone, so its volume is deleted`,
};

export type Reason = ReasonOf<typeof storageReasons>;

export const { reasonInWords } = wordsOf(storageReasons);
