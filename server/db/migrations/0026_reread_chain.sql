ALTER TABLE "chain_cursors" ADD COLUMN "reread_from" bigint;--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "is_rereading" boolean DEFAULT false NOT NULL;