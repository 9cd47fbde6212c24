ALTER TABLE "chain_signers" ADD COLUMN "wanted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "chain_signers" ADD COLUMN "wanted_holding" integer;