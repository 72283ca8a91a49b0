import { DEFAULT_STACK_PROPS, type DriftlessStackProps } from './DriftlessStackProps.ts';
import { parseStackProps } from './parseStackProps.ts';

/** The entry of the template's metadata that says with which knobs a stack was deployed. */
export const KNOBS_METADATA = 'Driftless';

interface KnobsMetadata {
  /** The release that was deployed: `0.1.0`. */
  readonly release: string;
  /** The knobs that are not as they are by default. */
  readonly knobs: Readonly<Record<string, unknown>>;
}

/** Returns what the template says of its own knobs, so that whoever looks at a stack later need not know how it was deployed. Pure. */
export function knobsMetadata(props: DriftlessStackProps, release: string): KnobsMetadata {
  const defaults: Readonly<Record<string, unknown>> = { ...DEFAULT_STACK_PROPS };
  const others = Object.entries(props).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(defaults[name]),
  );
  return { release, knobs: Object.fromEntries(others) };
}

/** A stack's knobs, as its template has them. */
export interface DeployedKnobs extends KnobsMetadata {
  /** All knobs, with their defaults. */
  readonly props: DriftlessStackProps;
}

/** Reads what `knobsMetadata` wrote. Returns undefined for a template of a release that wrote nothing, or whose knobs this release does not know. Pure. */
export function readKnobsMetadata(metadata: unknown): DeployedKnobs | undefined {
  const { release, knobs } = (metadata ?? {}) as Partial<KnobsMetadata>;
  if (typeof release !== 'string' || typeof knobs !== 'object') return undefined;
  try {
    return { release, knobs, props: parseStackProps(knobs) };
  } catch {
    return undefined;
  }
}
