import type { CelType } from '../CelType.ts';
import type { Expr } from '../Expr.ts';
import type { Estimate } from './Estimate.ts';

/** An operand of a call: where its value stands in the schema, if it does, and how large it is, if that is known. */
export interface EstimatedNode {
  readonly path: readonly string[];
  readonly type: CelType | undefined;
  readonly expr: Expr | undefined;
  readonly size: Estimate | undefined;
}

export interface EstimatedCall {
  readonly name: string;
  readonly overload: string;
  readonly target: EstimatedNode | undefined;
  readonly args: readonly EstimatedNode[];
  readonly argCosts: readonly Estimate[];
}

export interface CallEstimate {
  readonly cost: Estimate;
  /** The size of the result, if the call tells. */
  readonly size?: Estimate;
}

/** Returns how large a value at a path of the schema can be: `self`, names, `@items`, `@keys`, `@values`. `undefined`: nobody knows. */
export type EstimateSize = (path: readonly string[]) => Estimate | undefined;
