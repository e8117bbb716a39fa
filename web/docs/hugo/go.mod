module github.com/rollplay/rollplay/web/docs/hugo

go 1.18
