import { signal } from "@preact/signals";

/** A file that was dropped on another page than the one that imports it: a browser keeps none over a reload. */
export const pickedFile = signal<{ datasetId: string; file: File } | null>(null);
