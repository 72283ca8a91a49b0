import { type ReasonOf, wordsOf } from '../reasonTable.ts';
import { sharedReasons } from '../sharedReasons.ts';

/** Why a daemon's pod goes, by the names of `DeleteCause`. */
const DELETE_CAUSES: Readonly<Record<string, string>> = {
  failed: 'that have failed',
  succeeded: 'that have succeeded',
  misplaced: 'on nodes that must not have one',
  excess: 'beside another one of their node',
  outdated: 'that a new one has replaced',
  outdatedUnavailable: 'that are old and not ready, beside a new one',
};

/** What a DaemonSet's pods need. Counts are of pods or of nodes, which is the same except while it surges. */
export const daemonSetReasons = {
  ...sharedReasons,
  daemonSetIsBeingDeleted: () => 'it is being deleted, so its pods are left to the garbage collector',
  daemonPodsManaged: ({
    creates,
    deletes,
  }: {
    readonly creates: number /** How many pods go for each cause. */;
    readonly deletes: Readonly<Record<string, number>>;
  }) => {
    const gone = Object.entries(deletes).map(([cause, pods]) => `${pods} ${DELETE_CAUSES[cause] ?? cause}`);
    const missing = creates > 0 ? [`${creates} nodes need a pod`] : [];
    return [...missing, ...(gone.length > 0 ? [`pods are deleted: ${gone.join(', ')}`] : [])].join('; ');
  },
  daemonPodsUpdate: ({
    outdated,
    maxSurge,
    maxUnavailable,
    pending,
    creates,
    deletes,
  }: {
    readonly outdated: number;
    readonly maxSurge: number;
    readonly maxUnavailable: number /** Nodes without an available pod or, with a surge, nodes whose new pod is not available yet. */;
    readonly pending: number;
    readonly creates: number;
    readonly deletes: number;
  }) => {
    const bound =
      maxSurge > 0
        ? `maxSurge allows ${maxSurge} new pods beside old ones that are available, and ${pending} are not available yet`
        : `maxUnavailable allows ${maxUnavailable} nodes without an available pod, and there are ${pending}`;
    return `${outdated} old pods are to be replaced; ${bound}: create ${creates}, delete ${deletes}`;
  },
  daemonPodsAreThere: ({ desired }: { readonly desired: number }) =>
    `each of the ${desired} nodes that fit has its pod`,
  /** The strategy is OnDelete. */
  outdatedDaemonPodsStay: ({ outdated }: { readonly outdated: number }) =>
    `${outdated} old pods stay until somebody deletes them, because the update strategy is OnDelete`,
  failedDaemonPodStays: ({ delayMs }: { readonly delayMs: number }) =>
    `a failed pod stays for ${delayMs} ms more, because the one before it on its node failed as well`,
};

export type Reason = ReasonOf<typeof daemonSetReasons>;

export const { reasonInWords, reportDone } = wordsOf(daemonSetReasons);
