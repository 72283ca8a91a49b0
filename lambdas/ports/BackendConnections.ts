import type { Duplex } from 'node:stream';

/** A server inside the cluster that the API server calls for a client: a node's kubelet, or a pod. */
export interface Backend {
  readonly scheme: 'http' | 'https';
  /** An address, an IPv6 address without brackets; or a name, if `isNamed`. */
  readonly host: string;
  /** The host is a name by intent, and is resolved. */
  readonly isNamed?: boolean;
  readonly port: number;
  /** A kubelet gets the API server's client certificate, and its own is verified by the cluster's authority, if the API server has them. Other servers get neither. */
  readonly isKubelet: boolean;
  /** The client asked not to verify the kubelet's certificate. */
  readonly skipsVerification?: boolean;
}

/** What the API server shows to kubelets, and how it knows theirs; all in PEM. */
export interface KubeletCredentials {
  /** The certificate of the cluster's authority. */
  readonly authority: string;
  readonly certificate: string;
  readonly privateKey: string;
}

/** A request to a backend. */
export interface BackendRequest {
  readonly backend: Backend;
  readonly method: string;
  /** With the query: `/containerLogs/default/web/nginx?follow=true`. */
  readonly path: string;
  readonly headers: Headers;
  readonly body?: ReadableStream<Uint8Array> | null;
  /** Ends the request, also while its answer is read. */
  readonly signal?: AbortSignal;
  /** The answer, with its body, must have come by then. Absent: it may take as long as it likes. */
  readonly timeoutMs?: number;
}

export type BackendAnswer =
  /** The backend has answered, with whatever code. The body streams. */
  | { readonly status: 'answered'; readonly response: Response }
  /** There was no answer. `why` is in the words of Go's client: `dial tcp 10.0.0.7:10250: connect: connection refused`. */
  | { readonly status: 'unreachable'; readonly why: string }
  /** The host is on the API server's own machine or link, or is a name where only an address is allowed. Nothing was sent. */
  | { readonly status: 'forbidden' };

/** A connection that has changed its protocol. The code that received it ends it. */
export interface UpgradedConnection {
  readonly status: 'upgraded';
  /** Of the answer 101, which the client gets as well. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The bytes of the new protocol in both directions. */
  readonly stream: Duplex;
}

/**
 * The connections of the API server to backends. Expected failures are values; neither method rejects. No connection goes to the API server's own link, nor to its own machine: there, only a kubelet is reached,
 * and only if it is verified or if all clients of the API server are on that machine, too.
 */
export interface BackendConnections {
  /** Sends the request and resolves when the head of its answer is there. */
  send(request: BackendRequest): Promise<BackendAnswer>;

  /** Sends a request whose headers ask for another protocol. It resolves to an answer if the backend does not change it. */
  upgrade(request: BackendRequest): Promise<BackendAnswer | UpgradedConnection>;
}
