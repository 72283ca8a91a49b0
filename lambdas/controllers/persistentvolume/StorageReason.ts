/** Why a claim gets a volume or does not, and what becomes of a volume. */
export type StorageReason =
  | { readonly reason: 'isGone' }
  | { readonly reason: 'changedMeanwhile' }
  | { readonly reason: 'claimNeedsNothing' }
  /** Its class has another provisioner. */
  | { readonly reason: 'claimIsLeftToProvisioner'; readonly provisioner: string }
  /** No volume suits it, and nobody makes one. */
  | { readonly reason: 'claimFindsNoVolume' }
  /** It names a volume that does not exist, or that it cannot have. */
  | { readonly reason: 'claimWaitsForVolume'; readonly volume: string }
  | { readonly reason: 'claimWaitsForConsumer' }
  | { readonly reason: 'claimIsOnOtherNode'; readonly nodeName: string }
  | { readonly reason: 'claimIsBound'; readonly volume: string }
  | { readonly reason: 'claimIsLost' }
  | { readonly reason: 'volumeIsFree' }
  | { readonly reason: 'volumeIsBound'; readonly claim: string }
  | { readonly reason: 'volumeIsUnbound'; readonly claim: string }
  | { readonly reason: 'volumeIsKept' }
  | { readonly reason: 'volumeIsLeftToDriver' }
  | { readonly reason: 'volumeCannotBeReclaimed'; readonly message: string }
  | { readonly reason: 'volumeGoesWithClaim'; readonly claim: string };
