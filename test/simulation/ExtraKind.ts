import type { NewObject } from '../../lambdas/objects/KubernetesObject.ts';
import type { GroupResource } from '../../lambdas/objects/ObjectKey.ts';
import type { ControllerName } from '../../lambdas/controllers/controllerRooms.ts';
import type { Script, TimedOp } from './ClientOp.ts';

/** A kind that only some seeds have, and what the simulation needs for it. */
export interface ExtraKind {
  /** True if the seed's users have it beside their other workloads. */
  isDrawn(seed: number): boolean;
  /** Draws what users do to it. The draws are the kind's own, so that they shift no other's. */
  draw(seed: number): DrawnOps;
  readonly controllers: readonly ControllerName[];
  /** The resources that are served for it. */
  readonly resources: readonly string[];
  /** What must exist before anything can go wrong. */
  readonly objects?: readonly { readonly resource: GroupResource; readonly object: NewObject }[];
  /** Controllers are told of changes of nodes, which come and go. */
  readonly changesNodes?: true;
}

export interface DrawnOps {
  readonly ops: readonly TimedOp[];
  /** The script ends no earlier. */
  readonly endMs: number;
  /** What is left at the end depends on the times at which things happen. */
  readonly commutes?: false;
}

/** Returns the script with what the seed's users do to the kind, if they have it. */
export function withExtraKind(script: Script, kind: ExtraKind, seed: number): Script {
  if (!kind.isDrawn(seed)) return script;
  const { ops, endMs, ...others } = kind.draw(seed);
  return {
    ...script,
    ops: [...script.ops, ...ops].toSorted((a, b) => a.atMs - b.atMs),
    endMs: Math.max(script.endMs, endMs),
    isTimed: true,
    ...others,
  };
}
