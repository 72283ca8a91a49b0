/** What the command line says about the audit log. */
export interface AuditLogSettings {
  /** Absolute. Absent: nothing is recorded. */
  readonly policyFile?: string;
  /** Absolute, or `-` for standard output. Absent: nothing is recorded. */
  readonly logPath?: string;
  readonly maxSizeMb: number;
  /** 0: all. */
  readonly maxBackups: number;
  /** 0: for ever. */
  readonly maxAgeDays: number;
}

/** Standard output. */
export const STANDARD_OUTPUT = '-';
