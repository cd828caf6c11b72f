#!/usr/bin/env bash
# A MySQL of Debian's unstable release beside whatever this machine runs, for a test run on a second server.
#   mysql.sh start DIR PORT   install it into DIR where it is not there yet, start it on 127.0.0.1:PORT and print
#                             its administrator's address; needs root, about 40 seconds and 650 MB the first time
#   mysql.sh stop DIR         stop it and drop its data
set -euo pipefail
verb=$1 dir=$2 port=${3:-}
data=/var/lib/mysql-vitrine

install() {
  [ -x "$dir/usr/sbin/mysqld" ] && return
  command -v debootstrap >/dev/null || {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap
  } >/dev/null 2>&1
  mkdir -p "$dir"
  local mirror
  # At the end of its line: a comment can name a snapshot, which has no sid.
  mirror=$(grep -hoE 'https?://[^ ]+/debian/?$' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)
  debootstrap --variant=minbase --include=mysql-server-core,mysql-client-core sid "$dir" ${mirror:+"$mirror"} >"$dir.log" 2>&1
  chroot "$dir" sh -c 'id mysql >/dev/null 2>&1 || useradd -r mysql'
}

start() {
  install
  rm -rf "${dir:?}$data"
  mkdir -p "$dir$data" "$dir/run/mysqld" "$dir/var/lib/mysql-files"
  # Created on the first start, before there is an account that could be reached.
  echo "CREATE USER admin@'127.0.0.1' IDENTIFIED BY 'admin'; GRANT ALL ON *.* TO admin@'127.0.0.1' WITH GRANT OPTION; CREATE USER admin@localhost IDENTIFIED BY 'admin'; GRANT ALL ON *.* TO admin@localhost WITH GRANT OPTION; INSERT INTO mysql.proxies_priv (Host, User, Proxied_host, Proxied_user, With_grant, Grantor) VALUES ('127.0.0.1', 'admin', '', '', 1, ''), ('localhost', 'admin', '', '', 1, ''); FLUSH PRIVILEGES; ALTER USER root@localhost IDENTIFIED BY 'admin';" >"$dir/vitrine-init.sql"
  chroot "$dir" chown mysql $data /run/mysqld /var/lib/mysql-files
  chroot "$dir" mysqld --no-defaults --initialize-insecure --user=mysql --datadir=$data >"$dir.init.log" 2>&1
  setsid chroot "$dir" mysqld --no-defaults --user=mysql --datadir=$data --port="$port" --bind-address=127.0.0.1 \
    --mysqlx=OFF --skip-log-bin --socket=/run/mysqld/vitrine.sock --pid-file=/run/mysqld/vitrine.pid \
    --init-file=/vitrine-init.sql --innodb-flush-log-at-trx-commit=0 >"$dir.mysqld.log" 2>&1 </dev/null &
  for _ in $(seq 300); do
    chroot "$dir" mysqladmin -uadmin -padmin -h127.0.0.1 -P"$port" ping >/dev/null 2>&1 && {
      echo "mysql://admin:admin@127.0.0.1:$port/"
      return
    }
    sleep 0.2
  done
  tail -n 20 "$dir.mysqld.log" >&2
  exit 1
}

stop() {
  chroot "$dir" mysqladmin -uadmin -padmin -S /run/mysqld/vitrine.sock shutdown >/dev/null 2>&1 || true
  rm -rf "${dir:?}$data"
}

"$verb"
