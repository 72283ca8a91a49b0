import { type ReasonOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a sync of a ReplicaSet or a ReplicationController did what it did. */
export const replicaSetReasons = {
  ...sharedReasons,
  enoughReplicas: ({ desired }: { readonly desired: number }) => `it has the ${desired} pods that it wants`,
  tooFewReplicas: ({
    desired,
    active,
    creates,
  }: {
    readonly desired: number;
    readonly active: number;
    readonly creates: number;
  }) => `it wants ${desired} pods and has ${active}: create ${creates}`,
  tooManyReplicas: ({
    desired,
    active,
    deletes,
  }: {
    readonly desired: number;
    readonly active: number;
    readonly deletes: number;
  }) => `it wants ${desired} pods and has ${active}: delete ${deletes}`,
};

export type Reason = ReasonOf<typeof replicaSetReasons>;

export const { reasonInWords } = wordsOf(replicaSetReasons);
