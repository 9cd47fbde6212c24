#!/bin/sh
# Creates the configuration of a database cluster of three machines, with certificates and passwords:
#   prepare.sh <folder> <address> <address> <address>
# <folder>/<address> belongs to that machine, <folder>/programs to each machine that runs programs of
# Crossbook; both as /etc/crossbook-database. Existing certificates and passwords are kept.
set -eu
[ $# = 4 ] || { echo "usage: prepare.sh <folder> <address> <address> <address>" >&2; exit 64; }
templates=$(cd "$(dirname "$0")" && pwd)
umask 077
mkdir -p "$1/authority"
cd "$1"
shift

keep() { # keep <file> <command…>: what the command prints becomes the file
  file=$1
  shift
  [ -s "$file" ] || "$@" > "$file"
}

for name in superuser replication rewind restapi backup; do
  keep "authority/$name" openssl rand -hex 24
done
[ -s authority/ca.crt ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \
  -days 3650 -subj '/CN=Crossbook database authority' -keyout authority/ca.key \
  -out authority/ca.crt 2> /dev/null

certificate() { # certificate <address>
  [ -s "$1/server.crt" ] && return
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$1" \
    -keyout "$1/server.key" -out "$1/request" 2> /dev/null
  # Programs reach it through HAProxy on their own machine.
  printf 'subjectAltName=IP:%s,DNS:localhost,IP:127.0.0.1\n' "$1" > "$1/extensions"
  openssl x509 -req -in "$1/request" -CA authority/ca.crt -CAkey authority/ca.key -CAcreateserial \
    -days 825 -extfile "$1/extensions" -out "$1/server.crt" 2> /dev/null
  rm "$1/request" "$1/extensions"
}

fill() { # fill <template> <folder> <own address> <own name>
  sed -e "s/@OWN@/$3/g; s/@NAME@/$4/g; s/@FIRST@/$first/g; s/@SECOND@/$second/g; s/@THIRD@/$third/g" \
    -e "s/@SUPERUSER_PASSWORD@/$(cat authority/superuser)/" \
    -e "s/@REPLICATION_PASSWORD@/$(cat authority/replication)/" \
    -e "s/@REWIND_PASSWORD@/$(cat authority/rewind)/" \
    -e "s/@RESTAPI_PASSWORD@/$(cat authority/restapi)/" \
    -e "s/@BACKUP_PASSWORD@/$(cat authority/backup)/" "$templates/$1" > "$2/$1"
}

first=$1 second=$2 third=$3
number=0
for address in "$@"; do
  number=$((number + 1))
  mkdir -p "$address"
  certificate "$address"
  cp authority/ca.crt "$address/ca.crt"
  # For the unit that makes backups.
  echo "DATABASE_ADDRESS=$address" > "$address/machine.env"
  for file in patroni.yml etcd.yml pgbackrest.conf; do
    fill "$file" "$address" "$address" "db-$number"
  done
done
mkdir -p programs
cp authority/ca.crt programs/ca.crt
for file in haproxy.cfg pgbouncer.ini; do fill "$file" programs '' ''; done
[ -e programs/userlist.txt ] || : > programs/userlist.txt
