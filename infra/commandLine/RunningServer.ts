/** A running server, embedded or emulated. */
export interface RunningServer {
  /** `http://127.0.0.1:8001` */
  readonly url: string;
  /** The address of the dashboard, where it is served. */
  readonly dashboardUrl?: string;
  /** Resolves if the server fails. */
  readonly failed: Promise<Error>;
  /** The headers that authenticate this process's own requests. */
  headers(): Readonly<Record<string, string>>;
  /** The path of the kubeconfig that was written for it. */
  readonly kubeconfigPath: string;
  /** Stops the server within two seconds. */
  stop(): Promise<void>;
}
