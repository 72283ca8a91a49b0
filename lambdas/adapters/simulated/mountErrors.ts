import type { Pod } from '../../objects/kinds.ts';

/** A volume that cannot be mounted, and why. */
export interface FailedVolume {
  readonly volume: string;
  readonly errors: readonly string[];
  /** Whether it is a claim's: the kubelet's volume manager looks at claims before it mounts anything. */
  readonly isClaim: boolean;
}

/** Returns the messages of the events FailedMount about these volumes, in the words of the kubelet's volume manager. Pure. */
export function mountErrors(pod: Pod, failed: readonly FailedVolume[]): readonly string[] {
  const claims = failed.filter(({ isClaim }) => isClaim);
  const others = failed.filter(({ isClaim }) => !isClaim);
  const named = (volumes: readonly FailedVolume[]) => `[${volumes.map(({ volume }) => volume).join(' ')}]`;
  const why = claims.flatMap(({ errors }) => errors).join('; ');
  const unprocessed = `unmounted volumes=${named(inOrder(pod, failed))}, unattached volumes=[], failed to process volumes=${named(claims)}: ${why}`;
  return [
    ...others.map(({ volume, errors }) => `MountVolume.SetUp failed for volume "${volume}" : ${aggregate(errors)}`),
    ...(claims.length > 0 ? [`Unable to attach or mount volumes: ${unprocessed}`] : []),
  ];
}

function inOrder({ spec }: Pod, failed: readonly FailedVolume[]): readonly FailedVolume[] {
  const names = (spec?.volumes ?? []).map(({ name }) => name);
  return failed.toSorted((a, b) => names.indexOf(a.volume) - names.indexOf(b.volume));
}

/** As apimachinery's `NewAggregate` writes several errors: each text once. */
function aggregate(errors: readonly string[]): string {
  const texts = [...new Set(errors)];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}
