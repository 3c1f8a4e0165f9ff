/** What a command may use of the process: main gives it the real thing, a test its own. */
export interface Console {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** Such as `20.19.0`. */
  readonly nodeVersion: string;
  /** True when a person reads what is written. */
  readonly isTerminal: boolean;
  readonly hasColor: boolean;
  /** How many files and sockets may be open at once; undefined where the system does not say. */
  readonly openFiles: number | undefined;
  write(text: string): void;
  complain(text: string): void;
  /** Writes a part of the log; it is dropped where nobody takes what was written before. */
  writeLog(text: string): void;
  /** Resolves at the first signal that asks the process to end. */
  readonly ended: Promise<void>;
  /** Is told of every error that nobody caught; until then such an error ends the process. */
  onBug(listener: (error: unknown) => void): void;
  /** Lets the process end within a second, whatever still waits. */
  leave(): void;
}
