/** What an environment and the emulation tell each other. Events and results are JSON texts, as Lambda passes them. */

export interface Startup {
  /** The bundle, and the name under which it exports its handler. */
  readonly modulePath: string;
  readonly handlerName: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  /** Where connections to STS go instead. */
  readonly stsPort: number;
}

export type ToEnvironment =
  | { readonly type: 'invoke'; readonly requestId: string; readonly event: string; readonly deadlineMs: number }
  /** The last chunk has been passed on: the next may come. */
  | { readonly type: 'taken' };

export interface FunctionFailure {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export type FromEnvironment =
  /** The bundle has been loaded. */
  | { readonly type: 'ready' }
  | { readonly type: 'chunk'; readonly bytes: Uint8Array }
  /** The end of an invocation; `result` is absent for a streamed answer. */
  | { readonly type: 'returned'; readonly result?: string }
  | { readonly type: 'failed'; readonly failure: FunctionFailure };
